import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  openSync,
  read,
  readSync,
  rmdirSync,
  write,
  writeSync,
} from "node:fs";
import { statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type Attributes,
  type Disk,
  DiskError,
  errorWord,
  type OpenFile,
  type OpenFolder,
  type Watch,
  type WatchListener,
} from "./disk.ts";
import { type DirectoryEntry, type Facts, isSameEntry } from "./facts.ts";

const flags = {
  read: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  write: constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
};

/**
 * The disk through Deno's own calls, for systems whose C library is not known here. These use
 * paths, so links are looked for before each call and after it: a process that swaps a folder for a
 * link and back at the right moments, twice, wins the race. SECURITY.md names these systems.
 */
export function portableDisk(): Disk {
  return {
    kind: "portable",
    look(real) {
      const above = dirname(real);
      if (above !== real && refusal(above) === "ENOENT") return null;
      if (above !== real) assertLinkFree(above);
      return lookAt(real);
    },
    folder: (real) => new PortableFolder(real),
  };
}

class PortableFolder implements OpenFolder {
  readonly #facts: Deno.FileInfo;
  #locked: Deno.FsFile | null = null;

  constructor(readonly real: string) {
    assertLinkFree(real);
    const facts = lookAt(real);
    if (!facts) throw new DiskError("ENOENT", "open");
    if (facts.isSymlink) throw new DiskError("ELOOP", "open");
    if (!facts.isDirectory) throw new DiskError("ENOTDIR", "open");
    this.#facts = facts;
  }

  facts(): Facts {
    return this.#guarded(() => Deno.lstatSync(this.real));
  }

  look(name: string): Facts | null {
    return this.#guarded(() => lookAt(this.#path(name)));
  }

  entries(): DirectoryEntry[] {
    const entries = this.#guarded(() => [...Deno.readDirSync(this.real)]);
    return entries.map(({ name, isDirectory, isSymlink, isFile }) => ({
      name,
      kind: isDirectory ? "folder" : isSymlink ? "link" : isFile ? "file" : "other",
      ino: 0,
    }));
  }

  entriesInParts(): DirectoryEntry[][] {
    return [this.entries()];
  }

  folder(name: string): OpenFolder {
    return this.#guarded(() => new PortableFolder(this.#path(name)));
  }

  readLink(name: string): string {
    return this.#guarded(() => Deno.readLinkSync(this.#path(name)));
  }

  file(name: string, how: "read" | "write" | "create", mode = 0o666): OpenFile {
    return this.#guarded(() => {
      const path = this.#path(name);
      const descriptor = openSync(path, flags[how], mode);
      const now = lookAt(path);
      if (now && !now.isSymlink && isSameEntry(now, fstatSync(descriptor))) {
        return new PortableFile(descriptor);
      }
      closeSync(descriptor);
      throw new DiskError("ELOOP", "open");
    });
  }

  unnamedFile(): null {
    return null;
  }

  makeFolder(name: string, mode = 0o777): void {
    this.#guarded(() => Deno.mkdirSync(this.#path(name), { mode }));
  }

  makeLink(name: string, text: string): void {
    this.#guarded(() => Deno.symlinkSync(text, this.#path(name)));
  }

  addName(name: string, to: OpenFolder, toName: string): void {
    const target = join(to.real, toName);
    to.look(toName);
    this.#guarded(() => Deno.linkSync(this.#path(name), target));
  }

  rename(name: string, to: OpenFolder, toName: string): void {
    const target = join(to.real, toName);
    to.look(toName);
    this.#guarded(() => Deno.renameSync(this.#path(name), target));
  }

  renameToFree(name: string, to: OpenFolder, toName: string): void {
    if (to.look(toName)) throw new DiskError("EEXIST", "rename");
    this.rename(name, to, toName);
  }

  removeFile(name: string): void {
    this.#guarded(() => {
      if (lookAt(this.#path(name))?.isDirectory) throw new DiskError("EISDIR", "unlink");
      Deno.removeSync(this.#path(name));
    });
  }

  removeFolder(name: string): void {
    this.#guarded(() => rmdirSync(this.#path(name)));
  }

  attributes(): Attributes {
    return new Map();
  }

  setAttribute(): void {
    throw new DiskError("ENOTSUP", "disk");
  }

  setMode(mode: number): void {
    this.#withDescriptor((descriptor) => fchmodSync(descriptor, mode));
  }

  setOwner(uid: number, gid: number): void {
    this.#withDescriptor((descriptor) => fchownSync(descriptor, uid, gid));
  }

  setTimes(times: Facts): void {
    this.#withDescriptor((descriptor) => setTimes(descriptor, times));
  }

  watch(listener: WatchListener): Watch {
    this.#assertSame();
    const watcher = Deno.watchFs(this.real, { recursive: false });
    this.#assertSame();
    void this.#report(watcher, listener);
    return { queue: null, report() {}, [Symbol.dispose]: () => watcher.close() };
  }

  async #report(watcher: Deno.FsWatcher, listener: WatchListener): Promise<void> {
    for await (const { kind, paths } of watcher) {
      // Opening and closing an entry changes no facts.
      if (kind === "access") continue;
      if (paths.includes(this.real)) listener(kind === "remove" ? "" : null);
      else if (paths.length === 0) listener(null);
      else for (const path of paths) listener(basename(path));
    }
  }

  async usage(): Promise<{ total: number; used: number }> {
    const { bsize, blocks, bfree } = await statfs(this.real);
    return { total: blocks * bsize, used: (blocks - bfree) * bsize };
  }

  async free(): Promise<number> {
    const { bsize, blocks, bavail } = await statfs(this.real);
    return blocks === 0 ? Infinity : bavail * bsize;
  }

  async sync(): Promise<void> {
    // Windows opens no folders, and its file systems journal names.
    if (Deno.build.os === "windows") return;
    await Promise.resolve();
    this.#withDescriptor(fsyncSync);
  }

  async syncAll(): Promise<void> {
    const waiting: OpenFolder[] = [this];
    for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
      try {
        for (const { name, kind } of folder.entries()) {
          if (kind === "folder") waiting.push(folder.folder(name));
          if (kind !== "file") continue;
          using file = folder.file(name, "read");
          await file.sync();
        }
        await folder.sync();
      } finally {
        if (folder !== this) folder[Symbol.dispose]();
      }
    }
  }

  lock(how: "shared" | "exclusive"): boolean {
    try {
      this.#locked ??= Deno.openSync(this.real, { read: true });
      return this.#locked.tryLockSync(how === "exclusive");
    } catch {
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.#locked?.close();
    this.#locked = null;
  }

  #path(name: string): string {
    return join(this.real, name);
  }

  #withDescriptor(action: (descriptor: number) => void): void {
    this.#guarded(() => {
      const descriptor = openSync(this.real, flags.read);
      try {
        action(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  /** Runs an operation by path between two checks that the path still leads here. */
  #guarded<T>(action: () => T): T {
    this.#assertSame();
    try {
      const result = action();
      this.#assertSame();
      return result;
    } catch (error) {
      throw asDiskError(error);
    }
  }

  #assertSame(): void {
    assertLinkFree(this.real);
    const now = lookAt(this.real);
    if (!now || !isSameEntry(now, this.#facts)) throw new DiskError("ESTALE", "open");
  }
}

function lookAt(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    const wrapped = asDiskError(error);
    if (wrapped instanceof DiskError && /^(ENOENT|ENOTDIR)$/.test(wrapped.code)) return null;
    throw wrapped;
  }
}

/** @throws DiskError when a component of a path is a link or is not there */
function assertLinkFree(path: string): void {
  const word = refusal(path);
  if (word) throw new DiskError(word, "open");
}

function refusal(path: string): "ENOENT" | "ELOOP" | null {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (basename(at) === "") continue;
    const facts = lookIfAllowed(at);
    if (facts === "forbidden") return null;
    if (!facts) return "ENOENT";
    if (facts.isSymlink) return "ELOOP";
  }
  return null;
}

/** Above the folders that the process may read lies nothing that a viewer can change. */
function lookIfAllowed(path: string): Deno.FileInfo | null | "forbidden" {
  try {
    return lookAt(path);
  } catch (error) {
    if (error instanceof DiskError && error.code === "EACCES") return "forbidden";
    throw error;
  }
}

/** An open file of the portable disk, by a descriptor of `node:fs`. */
class PortableFile implements OpenFile {
  #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get descriptorNumber(): number {
    return this.#descriptor;
  }

  facts(): Facts {
    const stats = fstatSync(this.#descriptor);
    return {
      ...stats,
      isFile: stats.isFile(),
      isDirectory: stats.isDirectory(),
      isSymlink: false,
      birthtime: stats.birthtime,
    };
  }

  read(into: Uint8Array<ArrayBuffer>, position: number): number {
    return readSync(this.#descriptor, into, 0, into.length, position);
  }

  readLater(into: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.#descriptor, into, 0, into.length, position, (error, count) => {
        if (error) reject(asDiskError(error));
        else resolve(count);
      });
    });
  }

  write(bytes: Uint8Array<ArrayBuffer>, position: number): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, position + done);
    }
  }

  async writeLater(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      done += await new Promise<number>((resolve, reject) => {
        const [length, at] = [bytes.length - done, position + done];
        write(this.#descriptor, bytes, done, length, at, (error, count) => {
          if (error) reject(asDiskError(error));
          else resolve(count);
        });
      });
    }
  }

  writeUncached(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void> {
    return this.writeLater(bytes, position);
  }

  giveName(): never {
    throw new DiskError("ENOSYS", "linkat");
  }

  copyRange(): null {
    return null;
  }

  nextData(position: number): { start: number; end: number } {
    return { start: position, end: Infinity };
  }

  setSize(size: number): void {
    ftruncateSync(this.#descriptor, size);
  }

  /** Neither Deno nor Node.js reads attributes. */
  attributes(): Attributes {
    return new Map();
  }

  setAttribute(): void {
    throw new DiskError("ENOTSUP", "disk");
  }

  setMode(mode: number): void {
    fchmodSync(this.#descriptor, mode);
  }

  setOwner(uid: number, gid: number): void {
    fchownSync(this.#descriptor, uid, gid);
  }

  setTimes(times: Facts): void {
    setTimes(this.#descriptor, times);
  }

  async sync(): Promise<void> {
    await Promise.resolve();
    fsyncSync(this.#descriptor);
  }

  beginSync(): Promise<void> {
    return Promise.resolve();
  }

  lock(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

/** Copies the times of another entry to an open one. */
function setTimes(descriptor: number, { atime, mtime }: Facts): void {
  const seconds = (time: Date | null) => (time?.getTime() ?? Date.now()) / 1000;
  futimesSync(descriptor, seconds(atime), seconds(mtime));
}

/** Converts errors of Deno and of `node:fs` to {@link DiskError}. */
function asDiskError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DiskError) return error;
  if ("code" in error && typeof error.code === "string") return new DiskError(error.code, "disk");
  if (error instanceof Deno.errors.NotCapable) return new DiskError("EACCES", "disk");
  if (error instanceof Deno.errors.PermissionDenied) return new DiskError("EACCES", "disk");
  if (error instanceof Deno.errors.NotFound) return new DiskError("ENOENT", "disk");
  if (error instanceof Deno.errors.AlreadyExists) return new DiskError("EEXIST", "disk");
  const number = /\(os error (\d+)\)/.exec(error.message)?.[1];
  return number === undefined ? error : new DiskError(errorWord(Number(number)), "disk");
}
