import {
  type Attributes,
  DiskError,
  giveRights,
  type OpenFile,
  type OpenFolder,
  tryTo,
} from "../../core/disk/disk.ts";
import { type Facts, isSameEntry, unknownFacts } from "../../core/disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { makeTemporaryName } from "../../core/access/names.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { takeSlice } from "../../core/concurrency/body_slices.ts";
import { type Body, eachPiece } from "./body_pieces.ts";
import { renameToFree } from "./free_name.ts";

/** The body of an upload: a stream, or the request, which also gives a small one as a whole. */
export type UploadBody = Body | Pick<Request, "body" | "bytes">;

/** The bytes of a body as a stream; null for none. */
export function streamOf(body: UploadBody | null): Body | null {
  return body && "body" in body ? body.body : body;
}

/** How a body is received. */
export interface FillOptions {
  expectedLength?: number;
  signal?: AbortSignal;
  start?: number;
  admit?: (piece: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Called with each piece in turn while it is written, by another thread if it is long. */
  onPiece?: (piece: Uint8Array<ArrayBuffer>) => void;
}

/** Bodies up to this length are written in one go, in bytes. */
export const smallBody = 256 * 1024;

/**
 * Length of the beginning of a file that the system keeps in memory for previews. The rest would
 * displace other files there, and in a virtual machine a page that was not used lately is slow.
 */
const maxCachedBytes = 16 * 1024 * 1024;

/** Most bytes that are received and written at a time, and the same when many bodies arrive. */
const maxPieceBytes = 512 * 1024;
const minPieceBytes = 64 * 1024;

/**
 * Most bodies at a time that take no slices: a page sends 5. They wait for the disk often enough to
 * leave time to other requests, and would lose up to half of their speed.
 */
const maxUnsliced = 5;

/** Bodies that arrive in this thread. */
let arriving = 0;
const isCrowded = () => arriving > maxUnsliced;

/**
 * A hidden file beside the target of an upload, which receives all bytes before the target is
 * touched. It can't be listed or reached; a sweep recognizes it by its name.
 */
export class TemporaryFile implements Disposable {
  /** Its hidden name. */
  readonly name: string;
  readonly #folder: OpenFolder;
  readonly #file: OpenFile;
  readonly #hold: Disposable;
  /** As it was opened: on a disk with faults it may not be told later. */
  readonly #opened: Facts;
  #isKept = false;
  /** Whether it can be found in its folder. */
  #isNamed: boolean;

  /**
   * Creates the file exclusively, or opens one again: a symlink planted in its place is never
   * followed.
   *
   * @param folder the caller closes it, after this file
   * @param mode its permission bits; the system's when undefined
   * @param former the name of a file that was kept, instead of a new one; null for a new one that
   * needs no name before its own, where the disk has such: a kill leaves nothing of it
   * @throws {DomainError} `forbidden`, `disk_full`, `read_only`, `not_found`
   */
  constructor(folder: OpenFolder, action: string, mode?: number, former?: string | null) {
    this.#folder = folder;
    this.name = former ?? makeTemporaryName();
    const isNew = typeof former !== "string";
    let file: OpenFile | null = null;
    try {
      const unnamed = former === null ? folder.unnamedFile(mode) : null;
      this.#isNamed = unnamed === null;
      file = unnamed ?? folder.file(this.name, isNew ? "create" : "write", mode);
      this.#opened = file.facts();
    } catch (error) {
      file?.[Symbol.dispose]();
      // A disk with faults may make it and fail all the same; nothing else has this name.
      const isTaken = error instanceof DiskError && error.code === "EEXIST";
      if (isNew && !isTaken) tryTo(() => folder.removeFile(this.name));
      throw asRefusal(error, action);
    }
    this.#file = file;
    this.#hold = lockUploadFolder(folder);
  }

  /** Leaves the file in place when it is closed, to be opened again, or does so no more. */
  keep(isKept = true): void {
    this.#isKept = isKept;
  }

  /**
   * Locks it until it is closed.
   *
   * @param how `shared` with others that have it open in the same way
   * @returns false when another has it open in another way
   */
  lock(how: "shared" | "exclusive" = "exclusive"): boolean {
    return this.#file.lock(how);
  }

  /** Reads a range of it. The pieces share one buffer. */
  async *read(
    { start, length }: { start: number; length: number },
    pieceBytes: number,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const buffer = new Uint8Array(Math.min(pieceBytes, length));
    using file = this.#folder.file(this.name, "read");
    if (!isSameEntry(file.facts(), this.#opened)) throw new DiskError("ENOENT", "open");
    for (let position = start; position < start + length;) {
      const wanted = buffer.subarray(0, start + length - position);
      const count = await file.readLater(wanted, position);
      if (count === 0) throw new DiskError("EIO", "read");
      yield buffer.subarray(0, count);
      position += count;
    }
  }

  /** Appends a range of another file, without waiting for the disk: see {@link sync}. */
  async append(from: TemporaryFile, range: { start: number; length: number }): Promise<void> {
    let position = this.facts().size;
    for await (const piece of from.read(range, maxPieceBytes)) {
      await this.#file.writeUncached(piece, position);
      position += piece.length;
    }
  }

  /** Waits until all of it is on the disk. */
  async sync(): Promise<void> {
    await this.#file.sync();
  }

  /** Cuts the file off. */
  truncate(size: number): void {
    this.#file.setSize(size);
  }

  /** Sets the time of its last change. @param time in milliseconds since 1970 */
  setModified(time: number): void {
    this.#file.setTimes({ ...unknownFacts("file"), atime: new Date(), mtime: new Date(time) });
  }

  /** The file's current facts. */
  facts(): Facts {
    return this.#file.facts();
  }

  /**
   * Writes a body and syncs it to the disk.
   *
   * @param options.expectedLength the announced number of bytes
   * @param options.start where in the file it begins; 0 unless given
   * @param options.admit called with each piece before it is written; throws to refuse it
   * @param options.onPiece called with each piece in turn while it is written: for a digest
   * @throws {DomainError} `invalid_body` when the body breaks off or has another length;
   * `disk_full`, and what `admit` throws
   */
  async fill(body: UploadBody | null, action: string, options: FillOptions): Promise<void> {
    const { signal, start = 0, admit, onPiece, expectedLength } = options;
    const isSmall = expectedLength !== undefined && expectedLength <= smallBody;
    const early = new EarlySync(this.#file, start);
    let position = start;
    // By the descriptor that the gate has opened: under its name there may be a link by then.
    const write = async (piece: Uint8Array<ArrayBuffer>) => {
      await admit?.(piece);
      const written = this.#write(piece, position, isSmall);
      onPiece?.(piece);
      await written;
      position += piece.length;
      early.wrote(position);
    };
    arriving++;
    try {
      if (isSmall && body && "bytes" in body) {
        await write(await unlessAborted(body.bytes(), signal));
      } else {
        const pieceBytes = isSmall || isCrowded() ? minPieceBytes : maxPieceBytes;
        const receive = async (piece: Uint8Array<ArrayBuffer>) => {
          if (isCrowded()) await takeSlice();
          await write(piece);
        };
        await eachPiece(streamOf(body), pieceBytes, receive, signal);
      }
    } catch (error) {
      const refusal = asRefusal(error, action);
      if (refusal instanceof DomainError) throw refusal;
      throw new DomainError("invalid_body", `${action}: the body ended early`);
    } finally {
      arriving--;
      await early.stop();
    }
    if (expectedLength !== undefined && position !== start + expectedLength) {
      throw new DomainError(
        "invalid_body",
        `${action}: ${position} of ${start + expectedLength} bytes arrived`,
      );
    }
    try {
      await this.#file.sync();
    } catch (error) {
      throw asRefusal(error, action);
    }
  }

  async #write(
    piece: Uint8Array<ArrayBuffer>,
    position: number,
    isSmall: boolean,
  ): Promise<void> {
    if (isSmall) this.#file.write(piece, position);
    else if (position < maxCachedBytes) await this.#file.writeLater(piece, position);
    else await this.#file.writeUncached(piece, position);
  }

  /**
   * Renames the file to its final name, atomically.
   *
   * @param to the folder of that name, on the same disk
   * @param former facts about the replaced file, whose permissions are copied; null for a name that
   * must be free
   * @throws {DiskError} `EEXIST` when the name is not free
   * @throws {DomainError} `forbidden` when the hidden name now belongs to another file
   */
  commitName(to: OpenFolder, name: string, former: Facts | null, action: string): void {
    if (!this.#isNamed) {
      this.#file.giveName(former ? this.#folder : to, former ? this.name : name);
      this.#isNamed = true;
      this.#isKept = !former;
      if (!former) return;
    }
    const now = this.#folder.look(this.name);
    if (!now || !isSameEntry(now, this.#file.facts())) {
      throw new DomainError("forbidden", `${action}: the upload was tampered with`);
    }
    if (former?.isFile) takeRights(this.#file, to, name, former);
    if (former) this.#folder.rename(this.name, to, name);
    else renameToFree(this.#folder, this.name, to, name);
    this.#isKept = true;
  }

  /** Closes the file, and removes it unless it was committed. */
  [Symbol.dispose](): void {
    this.#hold[Symbol.dispose]();
    tryTo(() => {
      const now = this.#isKept || !this.#isNamed ? null : this.#folder.look(this.name);
      if (now && isSameEntry(now, this.#opened)) this.#folder.removeFile(this.name);
    });
    this.#file[Symbol.dispose]();
  }
}

/** Waits for a value until a signal is aborted, whose reason it throws then. */
async function unlessAborted<T>(value: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return await value;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([value, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Bytes that are handed to the disk at a time, at least. */
const stepBytes = 2 * 1024 * 1024;

/**
 * Has a file that grows be written to the disk while more of it arrives. Otherwise the system keeps
 * all of it in memory for seconds, and the sync at the end waits for the disk alone.
 */
export class EarlySync {
  readonly #file: Pick<OpenFile, "beginSync">;
  #begun: number;
  #running: Promise<void> | null = null;

  /** @param start where in the file new bytes begin */
  constructor(file: Pick<OpenFile, "beginSync">, start: number) {
    this.#file = file;
    this.#begun = start;
  }

  /** @param end the end of the bytes that were written */
  wrote(end: number): void {
    const start = this.#begun;
    if (this.#running || end - start < stepBytes) return;
    this.#begun = end;
    this.#running = this.#file.beginSync(start, end - start).finally(() => this.#running = null);
  }

  /** Waits until the file may be closed. */
  async stop(): Promise<void> {
    await this.#running;
  }
}

/** Retry interval for a lock that another program holds, in milliseconds. */
const retryMs = 1_000;

/**
 * Marks a folder as having an upload under way, by a shared lock on the folder itself: the system
 * drops it when the process dies, however it dies. A sweep locks the folder exclusively, so it
 * knows which temporary files are leftovers.
 *
 * Uploads never wait for the lock: any program may hold one on any folder. Meanwhile no sweep gets
 * the folder either, and a sweep that has it skips files newer than itself. On a file system
 * without locks the age of the files decides.
 *
 * @param folder the caller keeps it open as long as the lock is held
 */
export function lockUploadFolder(folder: OpenFolder): Disposable {
  let timer: ReturnType<typeof setInterval> | undefined;
  if (!folder.lock("shared")) {
    timer = setInterval(() => {
      if (folder.lock("shared")) clearInterval(timer);
    }, retryMs);
  }
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Gives a file that is about to replace another the owner of that (as far as the system allows), its
 * permissions, access control lists and attributes: whoever may read or write stays the same.
 *
 * @param folder holds the file that is replaced
 * @param former facts about it
 */
export function takeRights(
  file: OpenFile,
  folder: OpenFolder,
  name: string,
  former: Facts,
): void {
  const { mode, uid, gid } = former;
  const own = file.facts();
  if (uid !== null && gid !== null && (uid !== own.uid || gid !== own.gid)) {
    tryTo(() => file.setOwner(uid, gid));
  }
  if (mode !== null) giveRights(file, attributesOf(folder, name, former), mode & 0o777);
}

/** The attributes of a file, which the server may be able to write and not to read. */
function attributesOf(folder: OpenFolder, name: string, former: Facts): Attributes {
  for (const how of ["read", "write"] as const) {
    try {
      using open = folder.file(name, how);
      if (isSameEntry(open.facts(), former)) return open.attributes();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }
  return new Map();
}
