import { virtualTop } from "../access/names.ts";
import type { Access } from "../access/access.ts";
import type { Gate } from "../access/gate.ts";
import type { EntryPath } from "../../shared/path.ts";
import { rootsInfoOf } from "../../shared/named_roots.ts";
import { viewerOf } from "../access/viewer.ts";
import { DomainError } from "../../shared/errors.ts";
import type { UnreadState } from "../../shared/schemas/notification.ts";
import type { Caller, Seen } from "../auth/session.ts";
import type { FolderEvents } from "./folder_events.ts";
import { FolderStream } from "./folder_stream.ts";

/** Maximum number of folders that one user watches at a time, in one thread. */
const maxPerUser = 32;

/** Maximum number of open streams in one thread. */
const maxStreams = 2_000;

const noneUnread: UnreadState = { unread: 0, edition: 0 };

/** The open event streams of users, and the folders that they watch. */
export class Watches {
  readonly #gate: Gate;
  readonly #current: (caller: Caller) => Promise<Seen | null>;
  readonly #jobsOf: (userId: number, tokenId?: string) => Promise<unknown[]>;
  readonly #onChange: (real: string) => void;
  readonly #folderEvents: FolderEvents;
  readonly #notificationsOf: (userId: number) => Promise<UnreadState>;
  readonly #streams = new Set<{ userId: number; stream: FolderStream }>();
  #isClosed = false;

  /**
   * @param current asked repeatedly, for whether the users are still signed in
   * @param jobsOf the jobs of a user that are not over; of an API token those that it has begun
   * @param onChange hears the real paths of watched folders in which something has changed
   * @param folderEvents tells what other machines have changed
   * @param notificationsOf tells how many notifications a user has not read
   */
  constructor(
    gate: Gate,
    current: (caller: Caller) => Promise<Seen | null>,
    jobsOf: (userId: number, tokenId?: string) => Promise<unknown[]>,
    onChange: (real: string) => void,
    folderEvents: FolderEvents,
    notificationsOf: (userId: number) => Promise<UnreadState>,
  ) {
    this.#gate = gate;
    this.#current = current;
    this.#jobsOf = jobsOf;
    this.#onChange = onChange;
    this.#folderEvents = folderEvents;
    this.#notificationsOf = notificationsOf;
  }

  /**
   * Watches a folder for a user until the stream is cancelled or ends: see {@link FolderStream}.
   *
   * @throws {DomainError} `forbidden`, `not_found`; `throttled` at a limit; `not_supported` where
   * the disk reports no changes
   */
  open(caller: Caller, path: EntryPath): ReadableStream<Uint8Array> {
    const folder = this.#enter(caller).folder(path);
    const userId = caller.user.id;
    let { user } = caller;
    this.#checkLimits(userId, path);
    const stream = new FolderStream(folder, {
      enter: async () => {
        const now = await this.#current(caller);
        if (now === null) return null;
        user = now.user;
        return this.#enter(now).folder(path);
      },
      jobs: async () => JSON.stringify(await this.#jobsOf(userId, caller.token?.id)),
      notifications: async () => {
        // Some of them are no business of an API token.
        const { unread, edition } = caller.token ? noneUnread : await this.#notificationsOf(userId);
        return edition === 0 ? "" : JSON.stringify({ unread, edition });
      },
      // The names of those above its folder are no business of an API token either.
      roots: () => caller.token ? null : rootsInfoOf(user),
      version: () => user.version,
      // The virtual top is on no disk that others could change.
      listen: (real, listener) =>
        real === virtualTop
          ? { [Symbol.dispose]: () => {} }
          : this.#folderEvents.listen(real, folder.locator.spec.root, listener),
      onChange: this.#onChange,
      onEnd: () => this.#streams.delete(kept),
    });
    const kept = { userId, stream };
    this.#streams.add(kept);
    if (this.#isClosed) stream.end();
    return stream.body;
  }

  /** Ends all streams, and refuses new ones: an open stream would block a shutdown. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of [...this.#streams]) stream.end();
  }

  #enter({ user, settings }: Seen): Access {
    return this.#gate.enter(viewerOf(user, settings.rules));
  }

  #checkLimits(userId: number, path: EntryPath): void {
    const own = [...this.#streams].filter((stream) => stream.userId === userId).length;
    if (own < maxPerUser && this.#streams.size < maxStreams) return;
    throw new DomainError("throttled", `Cannot watch "${path}": too many folders are watched`, 30);
  }
}
