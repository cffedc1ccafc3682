import type { Disk, OpenFile, OpenFolder, WatchListener } from "./disk.ts";
import { DiskError, errorWord } from "./disk_error.ts";
import { type DirectoryEntry, type EntryKind, type Facts, kindOf } from "./facts.ts";
import { StatxFacts, statxLength } from "./facts.ts";
import { Inotify } from "./inotify.ts";
import { lastError, type Libc } from "./libc.ts";
import { mounts } from "./mounts.ts";
import { decodeName, encodeName, hasRawBytes } from "./names.ts";

/** Flags of open(2), those that differ between architectures chosen by it. */
const isArm = Deno.build.arch === "aarch64";
const O_WRONLY = 0o1;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_NOCTTY = 0o400;
const O_NONBLOCK = 0o4000;
const O_DIRECTORY = isArm ? 0o40000 : 0o200000;
const O_NOFOLLOW = isArm ? 0o100000 : 0o400000;
const O_CLOEXEC = 0o2000000;
const O_PATH = 0o10000000;

const AT_FDCWD = -100;
const AT_EMPTY_PATH = 0x1000;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
const AT_REMOVEDIR = 0x200;
const STATX_ALL = 0x1fff; // basic facts, time of birth, mount

const OPENAT2 = 437n;
const RESOLVE_NO_SYMLINKS = 0x04n;
const RESOLVE_NO_MAGICLINKS = 0x02n;

const RENAME_NOREPLACE = 1;
const SEEK_DATA = 3;
const SEEK_HOLE = 4;
const LOCK_SHARED = 1 | 4; // LOCK_SH | LOCK_NB
const LOCK_EXCLUSIVE = 2 | 4;

/** The longest path that the kernel takes in one call, with the NUL at its end. */
const pathMax = 4096;

/** Room for the entries of a folder, in bytes: that many are read by one call. */
const entriesLength = 256 * 1024;

const openFolderFlags = O_DIRECTORY | O_CLOEXEC;
const fileFlags = {
  read: O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
  write: O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
};

const emptyPath = new Uint8Array(1);
const encoder = new TextEncoder();
const latin1 = new TextDecoder("latin1");

/** What the system says where there is no such entry. */
const missing = new Set(["ENOENT", "ENOTDIR"]);

/**
 * The disk of a Linux system through its C library.
 *
 * @param kind `openat2` has the kernel refuse links (Linux 5.6); `openat` opens a path component by
 * component, for older kernels and containers whose filters do not know that call
 */
export function linuxDisk(libc: Libc, kind: "openat2" | "openat"): Disk {
  const statx = new Uint8Array(statxLength);
  const statxWords = new Uint32Array(statx.buffer);
  const names = [new Uint8Array(pathMax), new Uint8Array(pathMax)] as const;
  let listing: Uint8Array<ArrayBuffer> | null = null;
  const inotify = new Inotify(libc);

  const how = new BigUint64Array([0n, 0n, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS]);
  const howBytes = new Uint8Array(how.buffer);
  const howLength = BigInt(howBytes.length);

  function failure(call: string): DiskError {
    return new DiskError(errorWord(lastError()), call);
  }

  function check(result: number | bigint, call: string): number {
    if (result < 0) throw failure(call);
    return Number(result);
  }

  /** A name as C wants it, in one of two buffers: valid until the next but one. */
  function cName(name: string, buffer: 0 | 1 = 0): Uint8Array<ArrayBuffer> {
    const bytes = names[buffer];
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
  function openPath(at: number, path: string, flags: number): number {
    if (path.length * 3 >= pathMax && encodeName(path).length >= pathMax) {
      return openInParts(at, path, flags);
    }
    if (kind === "openat") return openByComponent(at, path, flags);
    how[0] = BigInt(flags);
    const name = cName(path);
    // The kernel says EAGAIN when it can't be sure, since something was renamed meanwhile.
    for (let tries = 0;; tries++) {
      const opened = libc.openat2(OPENAT2, at, name, howBytes, howLength);
      if (opened >= 0) return opened;
      const word = errorWord(lastError());
      if (tries === 8 || word !== "EAGAIN") throw new DiskError(word, "openat2");
    }
  }

  /** A path that is too long for one call is opened by its halves. */
  function openInParts(at: number, path: string, flags: number): number {
    const middle = path.indexOf("/", Math.floor(path.length / 2));
    const cut = middle === -1 ? path.lastIndexOf("/") : middle;
    if (cut <= 0) throw new DiskError("ENAMETOOLONG", "open");
    const above = openPath(at, path.slice(0, cut), O_PATH | openFolderFlags);
    try {
      return openPath(above, path.slice(cut + 1), flags);
    } finally {
      libc.close(above);
    }
  }

  function openByComponent(at: number, path: string, flags: number): number {
    const names = path.split("/").filter((name) => name !== "");
    const last = names.pop() ?? ".";
    let folder = path.startsWith("/") ? openOne(AT_FDCWD, "/", O_PATH | openFolderFlags) : at;
    try {
      for (const name of names) {
        const next = openOne(folder, name, O_PATH | openFolderFlags);
        if (folder !== at) libc.close(folder);
        folder = next;
      }
      return openOne(folder, last, flags);
    } finally {
      if (folder !== at) libc.close(folder);
    }
  }

  /** Opens one component, which may not be a link unless the flags say so (`O_PATH` alone). */
  function openOne(at: number, name: string, flags: number): number {
    const opened = libc.openat(at, cName(name), flags | O_NOFOLLOW, 0);
    if (opened >= 0) return opened;
    const word = errorWord(lastError());
    // The system says of a link where a folder is wanted that it is no folder.
    const isLink = word === "ENOTDIR" && lookIn(at, name)?.isSymlink;
    throw new DiskError(isLink ? "ELOOP" : word, "openat");
  }

  function lookIn(at: number, name: string): StatxFacts | null {
    const flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
    if (libc.statx(at, cName(name), flags, STATX_ALL, statx) === 0) {
      return new StatxFacts(statxWords);
    }
    const word = errorWord(lastError());
    if (missing.has(word)) return null;
    throw new DiskError(word, "statx");
  }

  function factsOf(descriptor: number): StatxFacts {
    const flags = AT_EMPTY_PATH | AT_NO_AUTOMOUNT;
    check(libc.statx(descriptor, emptyPath, flags, STATX_ALL, statx), "statx");
    return new StatxFacts(statxWords);
  }

  function look(real: string): StatxFacts | null {
    mounts.assertQuick(real);
    try {
      const opened = openPath(AT_FDCWD, real, O_PATH | O_NOFOLLOW | O_CLOEXEC);
      try {
        return factsOf(opened);
      } finally {
        libc.close(opened);
      }
    } catch (error) {
      if (error instanceof DiskError && missing.has(error.code)) return null;
      throw error;
    }
  }

  class Folder implements OpenFolder {
    #descriptor: number;

    constructor(descriptor: number, readonly real: string) {
      this.#descriptor = descriptor;
    }

    static of(folder: OpenFolder): number {
      if (!(folder instanceof Folder)) throw new Error("Cannot mix folders of two disks");
      return folder.#descriptor;
    }

    facts(): StatxFacts {
      return factsOf(this.#descriptor);
    }

    look(name: string): StatxFacts | null {
      mounts.assertQuickChild(this.real, name);
      return lookIn(this.#descriptor, name);
    }

    entries(): DirectoryEntry[] {
      const bytes = listing ??= new Uint8Array(entriesLength);
      const entries: DirectoryEntry[] = [];
      check(libc.lseek(this.#descriptor, 0n, 0), "lseek");
      for (;;) {
        const count = check(
          libc.getdents64(this.#descriptor, bytes, BigInt(entriesLength)),
          "getdents64",
        );
        if (count === 0) return entries;
        this.#decode(bytes.subarray(0, count), entries);
      }
    }

    folder(name: string): OpenFolder {
      mounts.assertQuickChild(this.real, name);
      const opened = openOne(this.#descriptor, name, openFolderFlags);
      return new Folder(opened, joined(this.real, name));
    }

    readLink(name: string): string {
      const text = names[1];
      const path = cName(name);
      const length = check(
        libc.readlinkat(this.#descriptor, path, text, BigInt(pathMax)),
        "readlinkat",
      );
      return decodeName(text.subarray(0, length));
    }

    file(name: string, how: "read" | "write" | "create", mode = 0o666): OpenFile {
      mounts.assertQuickChild(this.real, name);
      const opened = libc.openat(this.#descriptor, cName(name), fileFlags[how], mode);
      return new File(check(opened, "openat"));
    }

    makeFolder(name: string, mode = 0o777): void {
      check(libc.mkdirat(this.#descriptor, cName(name), mode), "mkdirat");
    }

    makeLink(name: string, text: string): void {
      check(libc.symlinkat(cName(text, 1), this.#descriptor, cName(name)), "symlinkat");
    }

    addName(name: string, to: OpenFolder, toName: string): void {
      const [from, target] = [cName(name), cName(toName, 1)];
      check(libc.linkat(this.#descriptor, from, Folder.of(to), target, 0), "linkat");
    }

    rename(name: string, to: OpenFolder, toName: string): void {
      const [from, target] = [cName(name), cName(toName, 1)];
      check(libc.renameat2(this.#descriptor, from, Folder.of(to), target, 0), "renameat2");
      mounts.expire();
    }

    renameToFree(name: string, to: OpenFolder, toName: string): void {
      const [from, target] = [cName(name), cName(toName, 1)];
      const descriptor = Folder.of(to);
      const flags = RENAME_NOREPLACE;
      check(libc.renameat2(this.#descriptor, from, descriptor, target, flags), "renameat2");
      mounts.expire();
    }

    removeFile(name: string): void {
      check(libc.unlinkat(this.#descriptor, cName(name), 0), "unlinkat");
    }

    removeFolder(name: string): void {
      check(libc.unlinkat(this.#descriptor, cName(name), AT_REMOVEDIR), "unlinkat");
    }

    setMode(mode: number): void {
      check(libc.fchmod(this.#descriptor, mode), "fchmod");
    }

    setOwner(uid: number, gid: number): void {
      check(libc.fchown(this.#descriptor, uid, gid), "fchown");
    }

    setTimes(times: Facts): void {
      check(libc.futimens(this.#descriptor, timespecsOf(times)), "futimens");
    }

    watch(listener: WatchListener): Disposable {
      return inotify.watch(this.#descriptor, listener);
    }

    async usage(): Promise<{ total: number; used: number }> {
      // struct statfs of 64-bit systems: type, size of a block, blocks, free ones, each 8 bytes.
      const words = new BigUint64Array(32);
      const result = await libc.fstatfsLater(this.#descriptor, new Uint8Array(words.buffer));
      if (result < 0) throw new DiskError("EIO", "fstatfs");
      const [, size = 0n, blocks = 0n, free = 0n] = words;
      return { total: Number(blocks * size), used: Number((blocks - free) * size) };
    }

    sync(): Promise<void> {
      return syncLater(this.#descriptor);
    }

    syncAll(): Promise<void> {
      return syncLater(this.#descriptor, "syncfs");
    }

    lock(how: "shared" | "exclusive"): boolean {
      return libc.flock(this.#descriptor, how === "shared" ? LOCK_SHARED : LOCK_EXCLUSIVE) === 0;
    }

    [Symbol.dispose](): void {
      if (this.#descriptor >= 0) libc.close(this.#descriptor);
      this.#descriptor = -1;
    }

    /** Records of getdents64: inode 8 bytes, offset 8, length of the record 2, type 1, name, NUL. */
    #decode(bytes: Uint8Array, entries: DirectoryEntry[]): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const text = latin1.decode(bytes);
      for (let at = 0; at < bytes.length;) {
        const length = view.getUint16(at + 16, true);
        const start = at + 19;
        let end = start;
        let any = 0;
        for (let byte = bytes[end]; byte; byte = bytes[++end]) any |= byte;
        const name = any < 0x80 ? text.slice(start, end) : decodeName(bytes.subarray(start, end));
        if (name !== "." && name !== "..") {
          const ino = view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
          const kind = kindByType[bytes[at + 18] ?? 0] ?? this.#kindOf(name);
          entries.push({ name, kind, ino });
        }
        at += length;
      }
    }

    /** Some file systems do not record kinds. */
    #kindOf(name: string): EntryKind {
      if (mounts.isPoint(joined(this.real, name))) return "folder";
      const facts = this.look(name);
      return facts ? kindOf(facts) : "other";
    }
  }

  class File implements OpenFile {
    #descriptor: number;

    constructor(descriptor: number) {
      this.#descriptor = descriptor;
    }

    facts(): StatxFacts {
      return factsOf(this.#descriptor);
    }

    read(into: Uint8Array<ArrayBuffer>, position: number): number {
      return check(
        libc.pread(this.#descriptor, into, BigInt(into.length), BigInt(position)),
        "pread",
      );
    }

    async readLater(into: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
      const count = await libc.preadLater(
        this.#descriptor,
        into,
        BigInt(into.length),
        BigInt(position),
      );
      // The error's number is another thread's: ask again for it.
      return count < 0 ? this.read(into, position) : Number(count);
    }

    write(bytes: Uint8Array<ArrayBuffer>, position: number): void {
      for (let done = 0; done < bytes.length;) {
        const rest = done === 0 ? bytes : bytes.subarray(done);
        const [length, at] = [BigInt(rest.length), BigInt(position + done)];
        done += check(libc.pwrite(this.#descriptor, rest, length, at), "pwrite");
      }
    }

    copyRange(to: OpenFile, position: number, length: number): number | null {
      if (!(to instanceof File)) throw new Error("Cannot mix files of two disks");
      const [from, target] = [offsetBytes(position), offsetBytes(position)];
      const [source, sink] = [this.#descriptor, to.#descriptor];
      const count = libc.copyFileRange(source, from, sink, target, BigInt(length), 0);
      if (count >= 0) return Number(count);
      const word = errorWord(lastError());
      if (cannotCopy.has(word)) return null;
      throw new DiskError(word, "copy_file_range");
    }

    nextData(position: number): { start: number; end: number } | null {
      const start = Number(libc.lseek(this.#descriptor, BigInt(position), SEEK_DATA));
      if (start >= 0) {
        const end = libc.lseek(this.#descriptor, BigInt(start), SEEK_HOLE);
        return { start, end: check(end, "lseek") };
      }
      const word = errorWord(lastError());
      if (word === "ENXIO") return null;
      if (word === "EINVAL") return { start: position, end: Infinity };
      throw new DiskError(word, "lseek");
    }

    setSize(size: number): void {
      check(libc.ftruncate(this.#descriptor, BigInt(size)), "ftruncate");
    }

    setMode(mode: number): void {
      check(libc.fchmod(this.#descriptor, mode), "fchmod");
    }

    setOwner(uid: number, gid: number): void {
      check(libc.fchown(this.#descriptor, uid, gid), "fchown");
    }

    setTimes(times: Facts): void {
      check(libc.futimens(this.#descriptor, timespecsOf(times)), "futimens");
    }

    sync(): Promise<void> {
      return syncLater(this.#descriptor);
    }

    [Symbol.dispose](): void {
      if (this.#descriptor >= 0) libc.close(this.#descriptor);
      this.#descriptor = -1;
    }
  }

  async function syncLater(descriptor: number, call: "fsync" | "syncfs" = "fsync"): Promise<void> {
    const result = await (call === "fsync" ? libc.fsyncLater : libc.syncfsLater)(descriptor);
    if (result === 0) return;
    // The number of that error is another thread's. Asked again, the kernel may well say that all is
    // well by now: what was lost stays lost.
    const word = libc[call](descriptor) < 0 ? errorWord(lastError()) : "EIO";
    if (!cannotSync.has(word)) throw new DiskError(word, call);
  }

  return {
    kind,
    look,
    folder(real) {
      mounts.assertQuick(real);
      return new Folder(openPath(AT_FDCWD, real, openFolderFlags), real);
    },
  };
}

const kindByType: Record<number, EntryKind> = {
  1: "other", // pipe
  2: "other", // character device
  4: "folder",
  6: "other", // block device
  8: "file",
  10: "link",
  12: "other", // socket
};

/** What copy_file_range(2) says where another way has to be taken. */
const cannotCopy = new Set([
  "EXDEV",
  "EINVAL",
  "ENOSYS",
  "EOPNOTSUPP",
  "ENOTSUP",
  "EPERM",
  "ETXTBSY",
]);

/** What fsync(2) says of files and folders that can't be synced. */
const cannotSync = new Set(["EINVAL", "EROFS", "ENOTSUP", "EOPNOTSUPP"]);

function offsetBytes(offset: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigInt64Array([BigInt(offset)]).buffer);
}

function timespecsOf(times: Facts): Uint8Array<ArrayBuffer> {
  if (times instanceof StatxFacts) return times.timespecs();
  const parts = [times.atime, times.mtime].flatMap((time) => {
    const ms = time?.getTime() ?? Date.now();
    const seconds = Math.floor(ms / 1000);
    return [seconds, (ms - seconds * 1000) * 1e6];
  });
  return new Uint8Array(new BigInt64Array(parts.map(BigInt)).buffer);
}

function joined(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
