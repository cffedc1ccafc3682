import type { Needle } from "./directory_records.ts";
import type { DirectoryEntry, Facts } from "./facts.ts";
import { constants } from "node:os";

/**
 * Access to the disk that is safe from swapped symlinks. Real paths are absolute, and no component
 * of one is a link: should one be swapped in during a call (a race), the call fails and touches
 * nothing. Calls on an open folder or file concern that very one, even if moved.
 *
 * All calls throw a `DiskError` with the system's code (`ENOENT`, `ELOOP`, `ENOTDIR`, `EACCES` …)
 * unless they say otherwise, and never wait for another process.
 */
export interface Disk {
  /** The implementation's name, for the line at the start. */
  readonly kind: "openat2" | "openat" | "portable";

  /** Facts about the entry at a path; null when there is none, or a file is in the way. */
  look(real: string): Facts | null;

  /** Opens a folder. The caller closes it. */
  folder(real: string): OpenFolder;
}

/**
 * Called with the name of a changed entry of a watched folder; "" when the folder itself was
 * deleted or moved; null when the names are not known.
 */
export type WatchListener = (name: string | null) => void;

/** A watched folder. */
export interface Watch extends Disposable {
  /** The descriptor from which this thread reads changes; null where there is none to poll. */
  readonly queue: number | null;
  /** Reports what waits in the queue now, of all watches of this thread. */
  report(): void;
}

/** An open folder. Names are single components, in the encoding of `entry_names.ts`. */
export interface OpenFolder extends Attributed, Disposable {
  /** The real path that it was opened by. */
  readonly real: string;

  /** Facts about the folder itself as they are now. */
  facts(): Facts;

  /** Facts about an entry of the folder, not following a link; null when there is none. */
  look(name: string): Facts | null;

  /**
   * All entries but "." and "..", in the order of the disk.
   *
   * @param needle may leave out names that certainly do not hold it, except those of folders
   */
  entries(needle?: Needle): DirectoryEntry[];

  /** The same in parts, so that the entries of a huge folder are not in memory all at once. */
  entriesInParts(): Iterable<DirectoryEntry[]>;

  /** Opens a folder in this one; a link to one is refused. The caller closes it. */
  folder(name: string): OpenFolder;

  /** The text of a link. */
  readLink(name: string): string;

  /**
   * Opens a file in this folder, which the caller closes. Links are refused; a pipe does not block.
   *
   * @param how `read`; `write` an existing one; `create` a new one, which must not exist
   * @param mode permission bits of a new file, less those of the process's mask; 0o666 unless given
   */
  file(name: string, how: "read" | "write" | "create", mode?: number): OpenFile;

  /**
   * Makes a file without a name, which is gone when it is closed before it gets one by
   * {@link OpenFile.giveName}. Null where the system or the file system has no such.
   */
  unnamedFile(mode?: number): OpenFile | null;

  /** Makes a folder. @param mode likewise; 0o777 unless given */
  makeFolder(name: string, mode?: number): void;

  /** Makes a symbolic link. */
  makeLink(name: string, text: string): void;

  /** Makes a hard link to a file or link of this folder; the new name must be free. */
  addName(name: string, to: OpenFolder, toName: string): void;

  /** Renames or moves an entry; an existing destination is replaced. */
  rename(name: string, to: OpenFolder, toName: string): void;

  /** The same for a name that must be free: `EEXIST` when it is not. Atomic. */
  renameToFree(name: string, to: OpenFolder, toName: string): void;

  /** Removes a file or a link. */
  removeFile(name: string): void;

  /** Removes an empty folder. */
  removeFolder(name: string): void;

  setOwner(uid: number, gid: number): void;
  /** Copies the times of another entry to the folder. */
  setTimes(times: Facts): void;

  /**
   * Reports changes in this folder, not below it, until the result is disposed of. The folder need
   * not stay open for that.
   */
  watch(listener: WatchListener): Watch;

  /** The size of the folder's disk and its used space, in bytes. */
  usage(): Promise<{ total: number; used: number }>;

  /** The bytes that this process may still write to the folder's disk; Infinity where unknown. */
  free(): Promise<number>;

  /** Flushes the names in it to the disk (fsync). */
  sync(): Promise<void>;

  /**
   * Flushes the whole tree to the disk: content, facts and names. Where the system can do so in one
   * call, it flushes the whole file system.
   */
  syncAll(): Promise<void>;

  /**
   * Takes an advisory lock on the folder; it ends when the folder is closed, or with the process.
   * Never waits.
   *
   * @returns whether it is locked now
   */
  lock(how: "shared" | "exclusive"): boolean;
}

/** An open file: usually a regular one. */
export interface OpenFile extends Attributed, Disposable {
  /** The number by which the system knows the open file in this process. */
  readonly descriptorNumber: number;

  /** Facts about the file as they are now. */
  facts(): Facts;

  /**
   * Reads from a position in the file.
   *
   * @returns the number of bytes, 0 at the end
   */
  read(into: Uint8Array<ArrayBuffer>, position: number): number;

  /** The same, on a thread of the pool. */
  readLater(into: Uint8Array<ArrayBuffer>, position: number): Promise<number>;

  /** Writes all of the bytes at a position in the file. */
  write(bytes: Uint8Array<ArrayBuffer>, position: number): void;

  /** The same, on a thread of the pool. The bytes must not change meanwhile. */
  writeLater(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void>;

  /**
   * The same for bytes that are not read again soon: where the system can, it begins to write them
   * to the disk at once and keeps no copy in memory. The next sync() reports a failure.
   */
  writeUncached(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void>;

  /**
   * Has the system itself copy bytes to the same position in another file.
   *
   * @returns their number, 0 at the end; null where the system or the disks can't do that
   */
  copyRange(to: OpenFile, position: number, length: number): number | null;

  /** The next range of bytes that is not a hole; null when only a hole is left. */
  nextData(position: number): { start: number; end: number } | null;

  /** Names a file that was made without a name. @throws {DiskError} `EEXIST` */
  giveName(folder: OpenFolder, name: string): void;

  /** Truncates the file, or extends it by a hole. */
  setSize(size: number): void;
  setOwner(uid: number, gid: number): void;
  setTimes(times: Facts): void;

  /** Flushes content and facts to the disk (fsync). */
  sync(): Promise<void>;

  /**
   * Has the system begin to write a range to the disk, so that a later {@link sync} has less to do.
   * It promises nothing: without effect where the system or the disk cannot do it.
   */
  beginSync(start: number, length: number): Promise<void>;

  /**
   * Takes an advisory lock as {@link OpenFolder.lock} does. The portable disk knows no locks of
   * files, and says that it is locked.
   */
  lock(how: "shared" | "exclusive"): boolean;
}

/** An error of the operating system, with its code: `ENOENT`. */
export class DiskError extends Error {
  override readonly name = "DiskError";
  readonly code: string;

  /** @param call the system call that failed: `openat2` */
  constructor(code: string, call: string) {
    super(`${code}: ${call}`);
    this.code = code;
  }
}

const words = new Map(Object.entries(constants.errno).map(([word, number]) => [number, word]));

/** The code for an error's number. */
export function errorWord(number: number): string {
  return words.get(number) ?? `E${number}`;
}

/** Runs an operation that the file system or the user's rights may refuse; best effort. */
export function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // Best effort.
  }
}

/** Extended attributes by their names: access control lists, and those of users (`user.*`). */
export type Attributes = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** An open entry with attributes. */
interface Attributed {
  /** Its attributes; none where the system or the file system has no such. */
  attributes(): Attributes;
  /** Sets an attribute, or removes it. @throws DiskError */
  setAttribute(name: string, value: Uint8Array<ArrayBuffer> | null): void;
  setMode(mode: number): void;
}

/** The access control list of an entry, and the one that a folder gives to new entries. */
const accessList = "system.posix_acl_access";
const lists = [accessList, "system.posix_acl_default"] as const;

/** Attributes of users. */
const ofUsers = "user.";

/** Whether an attribute is kept when an entry is replaced or copied. */
export function isKeptAttribute(name: string): boolean {
  return name.startsWith(ofUsers) || lists.some((list) => list === name);
}

/**
 * Gives an entry the permissions and attributes of another, and no others. Where a list cannot be
 * set, the group gets what the list gives it, and not what the bits of the group are beside a list:
 * its mask.
 *
 * @param bits the permission bits of the other
 * @param present those of the entry itself: the same are not set again
 */
export function giveRights(
  copy: Attributed,
  attributes: Attributes,
  bits: number,
  present: number | null = null,
): void {
  // The lists that the folder gives to new entries would be added to the rights.
  for (const name of copy.attributes().keys()) tryTo(() => copy.setAttribute(name, null));
  const mode = withoutMask(bits, attributes);
  if (present === null || (present & 0o7777) !== mode) tryTo(() => copy.setMode(mode));
  for (const [name, value] of attributes) tryTo(() => copy.setAttribute(name, value));
}

/** Permission bits of an entry without its list: the group's are those of the list, masked. */
export function withoutMask(bits: number, attributes: Attributes): number {
  const list = attributes.get(accessList);
  const group = list && entryOf(list, groupTag);
  if (!list || group === undefined) return bits;
  return (bits & ~0o070) | ((group & (entryOf(list, maskTag) ?? 7)) << 3);
}

/** Tags of entries in a list (linux/posix_acl_xattr.h). */
const groupTag = 0x04;
const maskTag = 0x10;

/** The permissions of the entry with a tag: a version, then tag, permissions and id of each. */
function entryOf(list: Uint8Array<ArrayBuffer>, tag: number): number | undefined {
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
  for (let at = 4; at + 8 <= list.length; at += 8) {
    if (view.getUint16(at, true) === tag) return view.getUint16(at + 2, true) & 7;
  }
  return undefined;
}
