import type { OpenFile, OpenFolder, WatchListener } from "./disk.ts";
import { decodeRecords, type Needle } from "./directory_records.ts";
import { DiskError } from "./disk_error.ts";
import { type DirectoryEntry, type EntryKind, kindOf, type StatxFacts } from "./facts.ts";
import {
  folderFlags,
  type LinuxCalls,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_NOCTTY,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_WRONLY,
  pathMax,
} from "./linux_calls.ts";
import { LinuxEntry } from "./linux_entry.ts";
import { LinuxFile } from "./linux_file.ts";
import { mounts } from "./mounts.ts";
import { shareSync } from "./shared_sync.ts";
import { decodeName } from "../../shared/entry_names.ts";

const AT_REMOVEDIR = 0x200;
const RENAME_NOREPLACE = 1;

const fileFlags = {
  read: O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
  write: O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
};

/** Buffer for the entries of a folder, in bytes, filled by one call. */
const entriesLength = 256 * 1024;

/** One per thread: it is read synchronously. */
const listing = new Uint8Array(entriesLength);

/** An open folder of a Linux disk. */
export class LinuxFolder extends LinuxEntry implements OpenFolder {
  /** Whether its entries were read, so that the next time begins from the start. */
  #isRead = false;

  constructor(calls: LinuxCalls, descriptor: number, readonly real: string) {
    super(calls, descriptor);
  }

  static of(folder: OpenFolder): number {
    if (!(folder instanceof LinuxFolder)) throw new Error("Cannot mix folders of two disks");
    return folder.descriptor;
  }

  look(name: string): StatxFacts | null {
    mounts.assertQuickChild(this.real, name);
    return this.calls.lookIn(this.descriptor, name);
  }

  entries(needle?: Needle): DirectoryEntry[] {
    const bytes = listing;
    const entries: DirectoryEntry[] = [];
    const kindOf = (name: string) => this.#kindOf(name);
    if (this.#isRead) this.calls.check(this.calls.libc.lseek(this.descriptor, 0n, 0), "lseek");
    this.#isRead = true;
    for (;;) {
      const count = this.calls.check(
        this.calls.libc.getdents64(this.descriptor, bytes, BigInt(entriesLength)),
        "getdents64",
      );
      if (count === 0) return entries;
      decodeRecords(bytes.subarray(0, count), entries, kindOf, needle);
    }
  }

  folder(name: string): OpenFolder {
    mounts.assertQuickChild(this.real, name);
    const opened = this.calls.openOne(this.descriptor, name, folderFlags);
    return new LinuxFolder(this.calls, opened, joined(this.real, name));
  }

  readLink(name: string): string {
    const text = new Uint8Array(pathMax);
    const path = this.calls.cName(name);
    const length = this.calls.check(
      this.calls.libc.readlinkat(this.descriptor, path, text, BigInt(pathMax)),
      "readlinkat",
    );
    return decodeName(text.subarray(0, length));
  }

  file(name: string, how: "read" | "write" | "create", mode = 0o666): OpenFile {
    mounts.assertQuickChild(this.real, name);
    const opened = this.calls.libc.openat(
      this.descriptor,
      this.calls.cName(name),
      fileFlags[how],
      mode,
    );
    return new LinuxFile(this.calls, this.calls.check(opened, "openat"));
  }

  makeFolder(name: string, mode = 0o777): void {
    this.calls.check(
      this.calls.libc.mkdirat(this.descriptor, this.calls.cName(name), mode),
      "mkdirat",
    );
  }

  makeLink(name: string, text: string): void {
    this.calls.check(
      this.calls.libc.symlinkat(
        this.calls.cName(text, 1),
        this.descriptor,
        this.calls.cName(name),
      ),
      "symlinkat",
    );
  }

  addName(name: string, to: OpenFolder, toName: string): void {
    const [from, target] = [this.calls.cName(name), this.calls.cName(toName, 1)];
    this.calls.check(
      this.calls.libc.linkat(this.descriptor, from, LinuxFolder.of(to), target, 0),
      "linkat",
    );
  }

  rename(name: string, to: OpenFolder, toName: string): void {
    const [from, target] = [this.calls.cName(name), this.calls.cName(toName, 1)];
    this.calls.check(
      this.calls.libc.renameat2(this.descriptor, from, LinuxFolder.of(to), target, 0),
      "renameat2",
    );
    mounts.expire(joined(this.real, name));
  }

  renameToFree(name: string, to: OpenFolder, toName: string): void {
    const [from, target] = [this.calls.cName(name), this.calls.cName(toName, 1)];
    const descriptor = LinuxFolder.of(to);
    const flags = RENAME_NOREPLACE;
    this.calls.check(
      this.calls.libc.renameat2(this.descriptor, from, descriptor, target, flags),
      "renameat2",
    );
    mounts.expire(joined(this.real, name));
  }

  removeFile(name: string): void {
    this.calls.check(
      this.calls.libc.unlinkat(this.descriptor, this.calls.cName(name), 0),
      "unlinkat",
    );
  }

  removeFolder(name: string): void {
    this.calls.check(
      this.calls.libc.unlinkat(this.descriptor, this.calls.cName(name), AT_REMOVEDIR),
      "unlinkat",
    );
  }

  watch(listener: WatchListener): Disposable {
    return this.calls.inotify.watch(this.descriptor, listener);
  }

  async usage(): Promise<{ total: number; used: number }> {
    const { size, blocks, free } = await this.#statfs();
    return { total: Number(blocks * size), used: Number((blocks - free) * size) };
  }

  async free(): Promise<number> {
    const { size, blocks, free, available } = await this.#statfs();
    // Some file systems of programs give no numbers.
    if (blocks === 0n) return Infinity;
    return Number((this.calls.libc.geteuid() === 0 ? free : available) * size);
  }

  async #statfs(): Promise<Record<"size" | "blocks" | "free" | "available", bigint>> {
    // struct statfs of 64-bit systems: type, size of a block, blocks, free ones, those that are not
    // reserved for the superuser, each 8 bytes.
    const words = new BigUint64Array(32);
    const result = await this.calls.libc.fstatfsLater(
      this.descriptor,
      new Uint8Array(words.buffer),
    );
    if (result < 0) throw new DiskError("EIO", "fstatfs");
    const [, size = 0n, blocks = 0n, free = 0n, available = 0n] = words;
    return { size, blocks, free, available };
  }

  override sync(): Promise<void> {
    const { dev, ino } = this.facts();
    return shareSync(`${dev}:${ino}`, () => super.sync());
  }

  syncAll(): Promise<void> {
    return this.calls.sync(this.descriptor, "syncfs");
  }

  /** Some file systems do not record kinds. */
  #kindOf(name: string): EntryKind {
    if (mounts.isPoint(joined(this.real, name))) return "folder";
    const facts = this.look(name);
    return facts ? kindOf(facts) : "other";
  }
}

function joined(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
