import { type Attributes, DiskError, errorWord, isKeptAttribute } from "./disk.ts";
import { type Facts, StatxFacts, statxLength } from "./facts.ts";
import { Inotify } from "./inotify.ts";
import { lastError, type Libc } from "./libc.ts";
import { encodeName, hasRawBytes } from "../../../shared/entry_names.ts";

// Flags of open(2); some differ between architectures.
const isArm = Deno.build.arch === "aarch64";
/** Open for writing alone. */
export const O_WRONLY = 0o1;
/** Make the file. */
export const O_CREAT = 0o100;
/** The file must not be there. */
export const O_EXCL = 0o200;
/** A terminal does not become the process's own. */
export const O_NOCTTY = 0o400;
/** Do not block on the other end of a pipe. */
export const O_NONBLOCK = 0o4000;
/** Refuse a link at the end of the path. */
export const O_NOFOLLOW = isArm ? 0o100000 : 0o400000;
/** Closed in programs that this process executes. */
export const O_CLOEXEC = 0o2000000;
const O_DIRECTORY = isArm ? 0o40000 : 0o200000;
const O_PATH = 0o10000000;
/** A file without a name, in a folder. */
export const O_TMPFILE = 0o20000000 | O_DIRECTORY;

/** The flags that folders are opened with. */
export const folderFlags = O_DIRECTORY | O_CLOEXEC;

/** For absolute paths. */
export const AT_FDCWD = -100;
/** The descriptor itself is meant. */
export const AT_EMPTY_PATH = 0x1000;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
const STATX_ALL = 0xfff; // basic facts and the time of birth

const OPENAT2 = 437n;
const RESOLVE_NO_SYMLINKS = 0x04n;
const RESOLVE_NO_MAGICLINKS = 0x02n;

/** The longest path that the kernel takes in one call, with the NUL at its end. */
export const pathMax = 4096;

/** The path for `AT_EMPTY_PATH`. */
export const emptyPath = new Uint8Array(1);
const encoder = new TextEncoder();

/** The errors for an entry that is not there. */
const missing = new Set(["ENOENT", "ENOTDIR"]);

/** The errors of fsync(2) for files and folders that can't be synced. */
const cannotSync = new Set(["EINVAL", "EROFS", "ENOTSUP", "EOPNOTSUPP"]);

/** Calls that open and stat: the base of folders and files of a Linux disk. */
export class LinuxCalls {
  readonly #statx = new Uint8Array(statxLength);
  readonly #statxWords = new Uint32Array(this.#statx.buffer);
  /** For the names in a call: of one or of two entries. */
  readonly #names = [new Uint8Array(pathMax), new Uint8Array(pathMax)] as const;
  readonly #how = new BigUint64Array([0n, 0n, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS]);
  readonly #howBytes = new Uint8Array(this.#how.buffer);
  readonly #howLength = BigInt(this.#howBytes.length);

  /** The watches of this thread. */
  readonly inotify: Inotify;

  constructor(readonly libc: Libc, readonly kind: "openat2" | "openat") {
    this.inotify = new Inotify(libc);
  }

  /** The result of a call, unless it failed. @throws DiskError */
  check(result: number | bigint, call: string): number {
    if (result < 0) throw new DiskError(errorWord(lastError()), call);
    return Number(result);
  }

  /** A name as a C string, in one of two buffers: valid until the next but one. */
  cName(name: string, buffer: 0 | 1 = 0): Uint8Array<ArrayBuffer> {
    const bytes = this.#names[buffer];
    // Most names are short and ASCII, for which an encoder takes ten times as long.
    let plain = 0;
    for (; plain < name.length && plain < pathMax - 1; plain++) {
      const unit = name.charCodeAt(plain);
      if (unit >= 0x80) break;
      bytes[plain] = unit;
    }
    if (plain === name.length) {
      bytes[plain] = 0;
      return bytes;
    }
    if (hasRawBytes(name)) {
      const raw = encodeName(name);
      if (raw.length >= pathMax) throw new DiskError("ENAMETOOLONG", "open");
      bytes.set(raw);
      bytes[raw.length] = 0;
      return bytes;
    }
    const { read, written } = encoder.encodeInto(name, bytes);
    if (read < name.length || written >= pathMax) throw new DiskError("ENAMETOOLONG", "open");
    bytes[written] = 0;
    return bytes;
  }

  /**
   * Opens a path below an open folder, or an absolute one. No component is a link, but the last one
   * where the flags ask for it as such (`O_PATH` with `O_NOFOLLOW`).
   */
  openPath(at: number, path: string, flags: number): number {
    const opened = this.#tryPath(at, path, flags);
    if (typeof opened === "string") throw new DiskError(opened, "openat2");
    return opened;
  }

  /** The same; the code of a failure for most: a stack costs more than the call. */
  #tryPath(at: number, path: string, flags: number): number | string {
    if (path.length * 3 >= pathMax && encodeName(path).length >= pathMax) {
      return this.#openInParts(at, path, flags);
    }
    if (this.kind === "openat") return this.#openByComponent(at, path, flags);
    this.#how[0] = BigInt(flags);
    const name = this.cName(path);
    // EAGAIN: the kernel can't be sure, because of a concurrent rename.
    for (let tries = 0;; tries++) {
      const opened = this.libc.openat2(OPENAT2, at, name, this.#howBytes, this.#howLength);
      if (opened >= 0) return opened;
      const word = errorWord(lastError());
      if (tries === 8 || word !== "EAGAIN") return word;
    }
  }

  /** A path that is too long for one call is opened by its halves. */
  #openInParts(at: number, path: string, flags: number): number {
    const middle = path.indexOf("/", Math.floor(path.length / 2));
    const cut = middle === -1 ? path.lastIndexOf("/") : middle;
    if (cut <= 0) throw new DiskError("ENAMETOOLONG", "open");
    const above = this.openPath(at, path.slice(0, cut), O_PATH | folderFlags);
    try {
      return this.openPath(above, path.slice(cut + 1), flags);
    } finally {
      this.libc.close(above);
    }
  }

  #openByComponent(at: number, path: string, flags: number): number {
    const components = path.split("/").filter((name) => name !== "");
    const last = components.pop() ?? ".";
    let folder = path.startsWith("/") ? this.openOne(AT_FDCWD, "/", O_PATH | folderFlags) : at;
    try {
      for (const name of components) {
        const next = this.openOne(folder, name, O_PATH | folderFlags);
        if (folder !== at) this.libc.close(folder);
        folder = next;
      }
      return this.openOne(folder, last, flags);
    } finally {
      if (folder !== at) this.libc.close(folder);
    }
  }

  /** Opens one component, which may not be a link unless the flags say so (`O_PATH` alone). */
  openOne(at: number, name: string, flags: number): number {
    const opened = this.libc.openat(at, this.cName(name), flags | O_NOFOLLOW, 0);
    if (opened >= 0) return opened;
    const word = errorWord(lastError());
    // For a link the system reports that it is not a folder.
    const isLink = word === "ENOTDIR" && this.lookIn(at, name)?.isSymlink;
    throw new DiskError(isLink ? "ELOOP" : word, "openat");
  }

  /** Facts about an entry of an open folder, not following a link; null when there is none. */
  lookIn(at: number, name: string): StatxFacts | null {
    const flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
    if (this.libc.statx(at, this.cName(name), flags, STATX_ALL, this.#statx) === 0) {
      return new StatxFacts(this.#statxWords);
    }
    const word = errorWord(lastError());
    if (missing.has(word)) return null;
    throw new DiskError(word, "statx");
  }

  /** Facts about an open entry. */
  factsOf(descriptor: number): StatxFacts {
    const flags = AT_EMPTY_PATH | AT_NO_AUTOMOUNT;
    this.check(this.libc.statx(descriptor, emptyPath, flags, STATX_ALL, this.#statx), "statx");
    return new StatxFacts(this.#statxWords);
  }

  /** Facts about the entry at a path of which no component is a link; null when there is none. */
  look(real: string): StatxFacts | null {
    try {
      const opened = this.#tryPath(AT_FDCWD, real, O_PATH | O_NOFOLLOW | O_CLOEXEC);
      if (typeof opened === "string") {
        if (missing.has(opened)) return null;
        throw new DiskError(opened, "openat2");
      }
      try {
        return this.factsOf(opened);
      } finally {
        this.libc.close(opened);
      }
    } catch (error) {
      if (error instanceof DiskError && missing.has(error.code)) return null;
      throw error;
    }
  }

  /** Flushes an open entry to the disk, on a thread of the pool. */
  async sync(descriptor: number, call: "fsync" | "syncfs" = "fsync"): Promise<void> {
    const result = await (call === "fsync" ? this.libc.fsyncLater : this.libc.syncfsLater)(
      descriptor,
    );
    if (result === 0) return;
    // The errno is another thread's. A second fsync may well succeed: the lost data stays lost.
    const word = this.libc[call](descriptor) < 0 ? errorWord(lastError()) : "EIO";
    if (!cannotSync.has(word)) throw new DiskError(word, call);
  }
}

/** As much as Linux takes of one value, and of all names (linux/limits.h). One per thread. */
const buffer = new Uint8Array(64 * 1024);
const bufferLength = BigInt(buffer.length);
const decoder = new TextDecoder();

const LOCK_SHARED = 1 | 4; // LOCK_SH | LOCK_NB
const LOCK_EXCLUSIVE = 2 | 4;

/** The common base of open files and open folders of a Linux disk. */
export abstract class LinuxEntry implements Disposable {
  protected readonly calls: LinuxCalls;
  /** -1 once it is closed. */
  protected descriptor: number;

  constructor(calls: LinuxCalls, descriptor: number) {
    this.calls = calls;
    this.descriptor = descriptor;
  }

  /** The descriptor of another open entry, which must be of such a disk. */
  protected static of(entry: object): number {
    if (!(entry instanceof LinuxEntry)) throw new Error("Cannot mix entries of two disks");
    return entry.descriptor;
  }

  facts(): StatxFacts {
    return this.calls.factsOf(this.descriptor);
  }

  setMode(mode: number): void {
    this.calls.check(this.calls.libc.fchmod(this.descriptor, mode), "fchmod");
  }

  attributes(): Attributes {
    const { libc } = this.calls;
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    const length = Number(libc.flistxattr(this.descriptor, buffer, bufferLength));
    // A file system without attributes refuses. They may change meanwhile: a name that is gone is none.
    const names = length > 0 ? decoder.decode(buffer.subarray(0, length)).split("\0") : [];
    for (const name of names.filter(isKeptAttribute)) {
      const count = Number(
        libc.fgetxattr(this.descriptor, this.calls.cName(name), buffer, bufferLength),
      );
      if (count >= 0) found.set(name, buffer.slice(0, count));
    }
    return found;
  }

  setAttribute(name: string, value: Uint8Array<ArrayBuffer> | null): void {
    const { libc } = this.calls;
    const result = value
      ? libc.fsetxattr(this.descriptor, this.calls.cName(name), value, BigInt(value.length), 0)
      : libc.fremovexattr(this.descriptor, this.calls.cName(name));
    this.calls.check(result, value ? "fsetxattr" : "fremovexattr");
  }

  setOwner(uid: number, gid: number): void {
    this.calls.check(this.calls.libc.fchown(this.descriptor, uid, gid), "fchown");
  }

  setTimes(times: Facts): void {
    this.calls.check(this.calls.libc.futimens(this.descriptor, timespecsOf(times)), "futimens");
  }

  sync(): Promise<void> {
    return this.calls.sync(this.descriptor);
  }

  lock(how: "shared" | "exclusive"): boolean {
    return this.calls.libc.flock(
      this.descriptor,
      how === "shared" ? LOCK_SHARED : LOCK_EXCLUSIVE,
    ) === 0;
  }

  [Symbol.dispose](): void {
    if (this.descriptor >= 0) this.calls.libc.close(this.descriptor);
    this.descriptor = -1;
  }
}

/** Access and modification as `futimens` takes them. */
function timespecsOf(times: Facts): Uint8Array<ArrayBuffer> {
  if (times instanceof StatxFacts) return times.timespecs();
  const parts = [times.atime, times.mtime].flatMap((time) => {
    const ms = time?.getTime() ?? Date.now();
    const seconds = Math.floor(ms / 1000);
    return [seconds, (ms - seconds * 1000) * 1e6];
  });
  return new Uint8Array(new BigInt64Array(parts.map(BigInt)).buffer);
}
