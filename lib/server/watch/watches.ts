import type { Access } from "../access/access.ts";
import type { Gate } from "../access/gate.ts";
import type { EntryPath } from "../../shared/path.ts";
import { viewerOf } from "../access/viewer.ts";
import { DomainError } from "../../shared/errors.ts";
import type { SignedIn } from "../auth/session.ts";
import type { Sessions } from "../auth/sessions.ts";
import { FolderStream } from "./folder_stream.ts";

/** How many folders one user watches at a time at most, in one thread. */
const mostOfUser = 32;

/** How many streams one thread keeps open at most. */
const mostStreams = 2_000;

/** The folders that people have open, and the streams that tell them of changes. */
export class Watches {
  readonly #gate: Gate;
  readonly #sessions: Pick<Sessions, "current">;
  readonly #streams = new Set<{ userId: number; stream: FolderStream }>();
  #isClosed = false;

  /** @param sessions tells, again and again, whether those who watch are still signed in */
  constructor(gate: Gate, sessions: Pick<Sessions, "current">) {
    this.#gate = gate;
    this.#sessions = sessions;
  }

  /**
   * Watches a folder for somebody, until the stream is cancelled or ends: see {@link FolderStream}.
   *
   * @throws {DomainError} `forbidden`, `not_found`; `throttled` when too much is watched already;
   * `not_supported` where the disk tells of no changes
   */
  open(signedIn: SignedIn, path: EntryPath): ReadableStream<Uint8Array> {
    const folder = this.#enter(signedIn).folder(path);
    const userId = signedIn.user.id;
    this.#makeRoom(userId, path);
    const stream = new FolderStream(folder, {
      enter: async () => {
        const now = await this.#sessions.current(signedIn);
        return now && this.#enter(now).folder(path);
      },
      onEnd: () => this.#streams.delete(kept),
    });
    const kept = { userId, stream };
    this.#streams.add(kept);
    if (this.#isClosed) stream.end();
    return stream.body;
  }

  /** Ends all streams, now and from now on: a server that stops would wait for them. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of [...this.#streams]) stream.end();
  }

  #enter({ user, settings }: Pick<SignedIn, "user" | "settings">): Access {
    return this.#gate.enter(viewerOf(user, settings.rules));
  }

  #makeRoom(userId: number, path: EntryPath): void {
    const own = [...this.#streams].filter((stream) => stream.userId === userId).length;
    if (own < mostOfUser && this.#streams.size < mostStreams) return;
    throw new DomainError("throttled", `Cannot watch "${path}": too much is watched already`, 30);
  }
}
