import {
  type Disk,
  DiskError,
  type OpenFile,
  type OpenFolder,
  type Watch,
  type WatchListener,
} from "./disk.ts";
import type { Libc } from "./libc.ts";
import {
  AT_FDCWD,
  folderFlags,
  LinuxCalls,
  LinuxEntry,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_NOCTTY,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_TMPFILE,
  O_WRONLY,
  pathMax,
} from "./linux_calls.ts";
import { LinuxFile } from "./linux_file.ts";
import { mounts } from "./mounts.ts";
import { decodeRecords, type Needle } from "./directory_records.ts";
import { type DirectoryEntry, type EntryKind, kindOf, type StatxFacts } from "./facts.ts";
import { decodeName } from "../../../shared/entry_names.ts";

/**
 * The disk of a Linux system through its C library.
 *
 * @param kind `openat2` has the kernel refuse links (Linux 5.6); `openat` opens a path component by
 * component, for older kernels and containers whose filters do not know that call
 */
export function linuxDisk(libc: Libc, kind: "openat2" | "openat"): Disk {
  const calls = new LinuxCalls(libc, kind);
  return {
    kind,
    look(real) {
      mounts.assertQuick(real);
      return calls.look(real);
    },
    folder(real) {
      mounts.assertQuick(real);
      return new LinuxFolder(calls, calls.openPath(AT_FDCWD, real, folderFlags), real);
    },
  };
}

const AT_REMOVEDIR = 0x200;
const RENAME_NOREPLACE = 1;

const fileFlags = {
  read: O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
  write: O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
};

const unnamedFlags = O_TMPFILE | O_WRONLY | O_CLOEXEC;

/** Whether files without a name can get one; undefined until it was tried. One per thread. */
let canName: boolean | undefined;

/** Buffer for the entries of a folder, in bytes, filled by one call. */
const entriesLength = 256 * 1024;

/** One per thread: it is read synchronously. */
const listing = new Uint8Array(entriesLength);

/** An open folder of a Linux disk. */
class LinuxFolder extends LinuxEntry implements OpenFolder {
  /** Whether its entries were read, so that the next time begins from the start. */
  #isRead = false;

  constructor(calls: LinuxCalls, descriptor: number, readonly real: string) {
    super(calls, descriptor);
  }

  look(name: string): StatxFacts | null {
    mounts.assertQuickChild(this.real, name);
    return this.calls.lookIn(this.descriptor, name);
  }

  entries(needle?: Needle): DirectoryEntry[] {
    const entries: DirectoryEntry[] = [];
    for (const part of this.entriesInParts(needle)) {
      for (const entry of part) entries.push(entry);
    }
    return entries;
  }

  *entriesInParts(needle?: Needle): Generator<DirectoryEntry[]> {
    const bytes = listing;
    const kindOf = (name: string) => this.#kindOf(name);
    if (this.#isRead) this.calls.check(this.calls.libc.lseek(this.descriptor, 0n, 0), "lseek");
    this.#isRead = true;
    for (;;) {
      const count = this.calls.check(
        this.calls.libc.getdents64(this.descriptor, bytes, BigInt(entriesLength)),
        "getdents64",
      );
      if (count === 0) return;
      const entries: DirectoryEntry[] = [];
      decodeRecords(bytes.subarray(0, count), entries, kindOf, needle);
      yield entries;
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

  unnamedFile(mode = 0o666): OpenFile | null {
    canName ??= this.#canName();
    return canName ? this.#openUnnamed(mode) : null;
  }

  #openUnnamed(mode: number): LinuxFile | null {
    const opened = this.calls.libc.openat(
      this.descriptor,
      this.calls.cName("."),
      unnamedFlags,
      mode,
    );
    return opened < 0 ? null : new LinuxFile(this.calls, opened);
  }

  /** Whether this process may name such files: before Linux 6.10 an ordinary user may not. */
  #canName(): boolean | undefined {
    using file = this.#openUnnamed(0o600);
    if (!file) return undefined;
    try {
      // A name that is taken is refused only after the right to give one.
      file.giveName(this, ".");
      return false;
    } catch (error) {
      return error instanceof DiskError && error.code === "EEXIST";
    }
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
      this.calls.libc.linkat(this.descriptor, from, LinuxEntry.of(to), target, 0),
      "linkat",
    );
  }

  rename(name: string, to: OpenFolder, toName: string): void {
    const [from, target] = [this.calls.cName(name), this.calls.cName(toName, 1)];
    this.calls.check(
      this.calls.libc.renameat2(this.descriptor, from, LinuxEntry.of(to), target, 0),
      "renameat2",
    );
    mounts.expire(joined(this.real, name));
  }

  renameToFree(name: string, to: OpenFolder, toName: string): void {
    const [from, target] = [this.calls.cName(name), this.calls.cName(toName, 1)];
    const descriptor = LinuxEntry.of(to);
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

  watch(listener: WatchListener): Watch {
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

  /** Calls of the same moment for one folder share one: a project quota may limit it. */
  #statfs(): Promise<Space> {
    const { dev, ino } = this.facts();
    const key = `${dev}:${ino}`;
    const known = spaces.get(key);
    if (known) return known;
    const asked = this.#statfsAlone().finally(() => spaces.delete(key));
    spaces.set(key, asked);
    return asked;
  }

  async #statfsAlone(): Promise<Space> {
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

/** The room on a disk: the size of a block, and numbers of blocks. */
type Space = Record<"size" | "blocks" | "free" | "available", bigint>;

/** Calls of fstatfs(2) under way, by folder. */
const spaces = new Map<string, Promise<Space>>();

function joined(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

/** The flushes of one folder: the one under way, and the one that follows it. */
interface Flushes {
  running: Promise<void>;
  next: Promise<void> | null;
}

const flushes = new Map<string, Flushes>();

/**
 * Flushes a folder once for all callers at a time: a caller that comes while a flush runs, which
 * may be too early for its names, waits for the next one together with others.
 *
 * @param key identifies the folder
 * @param flush is called once for those who share it; its failure is that of all
 */
export function shareSync(key: string, flush: () => Promise<void>): Promise<void> {
  const known = flushes.get(key);
  if (known) {
    known.next ??= known.running.catch(() => {}).then(() => begin(key, flush));
    return known.next;
  }
  return begin(key, flush);
}

function begin(key: string, flush: () => Promise<void>): Promise<void> {
  const running = flush();
  const mine: Flushes = { running, next: null };
  flushes.set(key, mine);
  const end = () => {
    if (flushes.get(key) === mine && mine.next === null) flushes.delete(key);
  };
  running.then(end, end);
  return running;
}
