import { maxCoeditedBytes } from "../../../shared/coediting.ts";
import { DomainError } from "../../../shared/errors.ts";
import { joined } from "../../../shared/joined.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { isoOf } from "../../../shared/time.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { pathBelow } from "../../core/disk/real_path.ts";
import { type HookServices, withHooks } from "../commands/hooks.ts";
import { etagOf } from "../../files/content/open_content.ts";
import { readContent } from "../../files/content/file_reading.ts";
import { encoderOf } from "../../files/text/encode.ts";
import { type LineEnding, markOf, type TextFormat } from "../../files/text/format.ts";
import { readUnicode } from "../../files/text/read_text.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import type { Recent } from "../places/recent.ts";
import type { Trash } from "../../files/trash/trash.ts";
import { saveFile } from "../../files/upload/upload.ts";
import { type Admission, admit, type Grant, type GrantServices } from "./grants.ts";
import { withPlainEnds } from "./shared_document.ts";

/** How often a state that the room itself has saved is kept as a version, in milliseconds. */
const versionEveryMs = 5 * 60_000;

/** What saving takes. */
export interface FileServices extends GrantServices, HookServices {
  settings: GrantServices["settings"];
  trash: Trash;
  /** The files that users have used last. */
  recent: Recent;
}

/** The file as it was read or written last. */
export interface FileState {
  etag: string;
  /** ISO 8601. */
  modified: string;
}

/** Its text, with `\n` as line ends. */
export interface FileText extends FileState {
  text: string;
}

/** Why a text is saved. */
export interface SaveReason {
  /** A member has asked for it: what it saves is kept as a version when it is replaced. */
  isAsked: boolean;
}

const lineEnds: Record<Exclude<LineEnding, "mixed">, string> = { lf: "\n", crlf: "\r\n", cr: "\r" };

/**
 * The file of a room. It keeps its encoding, byte order mark and line ends. It is written by the
 * ordinary save: as a member, by a rename, within rules, locks, quota and hooks, and only over the
 * state that the room knows.
 */
export class RoomFile {
  readonly #services: FileServices;
  #format: TextFormat = { encoding: "utf-8", hasMark: false };
  #lineEnd = "\n";
  #state: FileState = { etag: "", modified: "" };
  /** When the room has last kept a version, by `performance.now()`; never: others wrote it. */
  #versionAt = -Infinity;
  #isWorthKeeping = true;

  constructor(services: FileServices) {
    this.#services = services;
  }

  /** The file as it was read or written last. */
  get state(): FileState {
    return this.#state;
  }

  /**
   * Reads the text.
   *
   * @throws DomainError `not_supported` for what cannot be edited without loss; `body_too_large`;
   * `forbidden`, `not_found`
   */
  async read({ access, path }: Pick<Admission, "access" | "path">): Promise<FileText> {
    const action = `Cannot edit "${nameOf(path)}" together`;
    if (access.read(path).info.size > maxCoeditedBytes) throw tooLongError(action);
    const { bytes, info } = await readContent(access, path, new Pauses());
    if (bytes.length > maxCoeditedBytes) throw tooLongError(action);
    const read = readUnicode(bytes);
    if (read === null || read === "legacy" || !read.isExact || read.lineEnding === "mixed") {
      throw new DomainError(
        "not_supported",
        `${action}: it is no text in Unicode whose lines all end in the same way`,
      );
    }
    this.#format = read.format;
    this.#lineEnd = lineEnds[read.lineEnding];
    const etag = etagOf(info);
    if (etag !== this.#state.etag) this.#isWorthKeeping = true;
    this.#state = { etag, modified: isoOf(info.mtime?.getTime() ?? 0) };
    return { ...this.#state, text: withPlainEnds(read.text) };
  }

  /** Whether the file is another one than when it was read or written last. */
  hasChanged({ access, path }: Pick<Admission, "access" | "path">): boolean {
    return etagOf(access.stat(path).info) !== this.#state.etag;
  }

  /**
   * Saves a text as a member.
   *
   * @param admission of the member, asked now
   * @param grant asked again when the text is on the disk, before it gets its name
   * @throws DomainError as `saveFile()`: `precondition_failed` when another program has changed the
   * file; `forbidden` for one who only views; `locked`, `over_quota`, `hook_failed`
   */
  async save(
    admission: Admission,
    grant: Grant,
    text: string,
    { isAsked }: SaveReason,
  ): Promise<FileState> {
    const { access, editing, path, owner, settings, share, user } = admission;
    if (!editing) throw viewError(path);
    const { trash } = this.#services;
    const place = access.placeOf(access.stat(path));
    const now = performance.now();
    const isKept = this.#isWorthKeeping || now - this.#versionAt >= versionEveryMs;
    const body = this.#encode(text, `Cannot save "${nameOf(path)}"`);
    const written = await withHooks(
      this.#services,
      "save",
      {
        ...{ signedIn: { user: owner, settings }, address: grant.address, access: editing, path },
        ...user ? { by: user } : { visitor: grant.visitor ?? "" },
        ...share && { share: share.hash },
        file: () => editing.modify(path).real,
      },
      () =>
        saveFile(editing, path, new Blob([body]).stream(), {
          ifMatch: this.#state.etag,
          expectedLength: body.length,
          ...isKept && { formerFiles: trash.formerFilesOf(owner.id) },
          confirm: async () => {
            const { editing } = await admit(this.#services, grant, place, true);
            if (!editing) throw viewError(path);
          },
        }),
    );
    if (isKept) this.#versionAt = now;
    this.#isWorthKeeping = isAsked;
    const { info, real } = access.stat(path);
    const modified = isoOf(info.mtime?.getTime() ?? Date.now());
    // Another program may have been faster: then the next look at the file finds its change.
    const isOurs = pathBelow(real, access.spec.root) === written.place;
    return this.#state = { etag: written.etag, modified: isOurs ? modified : isoOf(Date.now()) };
  }

  /** Notes that somebody has changed the file, among the recent files of those who keep them. */
  async noteChange(grant: Grant, place: EntryPath): Promise<void> {
    await unlessRefused(async () => {
      const { access, owner, path, share } = await admit(this.#services, grant, place, true);
      // A file of a share is another user's.
      if (!share && owner.keepRecent) {
        this.#services.recent.note(owner.id, access, path, "changed", place);
      }
    });
  }

  #encode(text: string, action: string): Uint8Array<ArrayBuffer> {
    const { encoding, hasMark } = this.#format;
    const ends = this.#lineEnd === "\n" ? text : text.replaceAll("\n", this.#lineEnd);
    const bytes = encoderOf(encoding, action)(ends.toWellFormed());
    return hasMark ? joined([markOf(encoding), bytes]) : bytes;
  }
}

function viewError(path: string): DomainError {
  return new DomainError("forbidden", `Cannot save "${path}": you may only view it`);
}

function tooLongError(action: string): DomainError {
  return new DomainError("body_too_large", `${action}: it is over ${maxCoeditedBytes} bytes`);
}
