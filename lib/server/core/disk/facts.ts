/**
 * Facts about an entry itself, as of `lstat`. A `Deno.FileInfo` fits, for the portable
 * implementation.
 */
export interface Facts {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymlink: boolean;
  /** Bytes. */
  readonly size: number;
  /** Allocated blocks of 512 bytes; null where that is not known. */
  readonly blocks: number | null;
  /** Type and permission bits. */
  readonly mode: number | null;
  readonly uid: number | null;
  readonly gid: number | null;
  readonly nlink: number | null;
  readonly ino: number | null;
  readonly dev: number;
  /** To the millisecond. */
  readonly atime: Date | null;
  readonly mtime: Date | null;
  readonly ctime: Date | null;
  readonly birthtime: Date | null;
}

/** The kind of an entry as its folder records it, without a stat call. */
export type EntryKind = "file" | "folder" | "link" | "other";

/** An entry of a folder as the folder records it. */
export interface DirectoryEntry {
  /** In the encoding of `entry_names.ts`. */
  name: string;
  kind: EntryKind;
  /** The number of its inode; 0 where the folder does not record it. */
  ino: number;
}

/** The kind of an entry, from its facts. */
export function kindOf({ isFile, isDirectory, isSymlink }: Facts): EntryKind {
  return isDirectory ? "folder" : isSymlink ? "link" : isFile ? "file" : "other";
}

/** Facts about an entry that could not be read: those that its folder records. */
export function unknownFacts(kind: EntryKind): Facts {
  const time = new Date(0);
  return {
    isFile: kind === "file",
    isDirectory: kind === "folder",
    isSymlink: kind === "link",
    ...{ size: 0, blocks: null, mode: kind === "folder" ? 0o040000 : 0o100000 },
    ...{ uid: null, gid: null, nlink: null, ino: null, dev: 0 },
    ...{ atime: time, mtime: time, ctime: time, birthtime: null },
  };
}

/** Whether two stat calls saw the same entry: the same inode on the same device. */
export function isSameEntry(
  a: Pick<Facts, "ino" | "dev">,
  b: Pick<Facts, "ino" | "dev">,
): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** File systems keep times in steps of up to 2 s (FAT), in milliseconds. */
const timeStepMs = 2_000;

/**
 * Whether an entry was at rest when it was read: a later change gives it another time.
 *
 * @param readAt in milliseconds since 1970, before it was read
 */
export function isSettled(
  { mtime, ctime }: { mtime: Date | number | null; ctime: Date | number | null },
  readAt: number,
): boolean {
  return readAt - Math.max(Number(mtime ?? readAt), Number(ctime ?? mtime ?? readAt)) > timeStepMs;
}

/** A text that changes whenever a file does: with its inode, its size and its times. */
export function stateText({ dev, ino, size, mtime, ctime }: Facts): string {
  return [dev, ino, size, mtime?.getTime() ?? 0, ctime?.getTime() ?? 0].join(" ");
}

/** As {@linkcode stateText}, to the nanosecond where the system tells it. */
export function exactStateText(info: Facts): string {
  return info instanceof StatxFacts ? info.stateText : stateText(info);
}

/** The bytes of a `struct statx` as the kernel fills it. */
export const statxLength = 256;

const kindMask = 0o170000;

/** Facts out of a `struct statx` (linux/stat.h). */
export class StatxFacts implements Facts {
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly ino: number;
  readonly dev: number;
  readonly size: number;
  readonly blocks: number;
  // Seconds and nanoseconds kept apart: as small integers they need no heap object.
  readonly #accessed: number;
  readonly #accessedNs: number;
  readonly #born: number;
  readonly #bornNs: number;
  readonly #changed: number;
  readonly #changedNs: number;
  readonly #modified: number;
  readonly #modifiedNs: number;

  /** @param words the structure as 32-bit words of a little-endian machine */
  constructor(words: Uint32Array) {
    this.nlink = words[4] as number;
    this.uid = words[5] as number;
    this.gid = words[6] as number;
    this.mode = (words[7] as number) & 0xffff;
    this.ino = longAt(words, 8);
    this.size = longAt(words, 10);
    this.blocks = longAt(words, 12);
    this.#accessed = secondsAt(words, 16);
    this.#accessedNs = words[18] as number;
    this.#born = secondsAt(words, 20);
    this.#bornNs = words[22] as number;
    this.#changed = secondsAt(words, 24);
    this.#changedNs = words[26] as number;
    this.#modified = secondsAt(words, 28);
    this.#modifiedNs = words[30] as number;
    this.dev = deviceNumber(words[34] as number, words[35] as number);
  }

  get isFile(): boolean {
    return (this.mode & kindMask) === 0o100000;
  }

  get isDirectory(): boolean {
    return (this.mode & kindMask) === 0o040000;
  }

  get isSymlink(): boolean {
    return (this.mode & kindMask) === 0o120000;
  }

  get atime(): Date {
    return dateOf(this.#accessed, this.#accessedNs);
  }

  get mtime(): Date {
    return dateOf(this.#modified, this.#modifiedNs);
  }

  get ctime(): Date {
    return dateOf(this.#changed, this.#changedNs);
  }

  /** Null on a disk that keeps none, where the kernel leaves zeros. */
  get birthtime(): Date | null {
    return this.#born === 0 && this.#bornNs === 0 ? null : dateOf(this.#born, this.#bornNs);
  }

  /** See {@linkcode exactStateText}. */
  get stateText(): string {
    const times = [this.#modified, this.#modifiedNs, this.#changed, this.#changedNs];
    return [this.dev, this.ino, this.size, ...times].join(" ");
  }

  /** Access and modification as two `struct timespec`, for `futimens`: nothing is rounded. */
  timespecs(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(
      new BigInt64Array(
        [this.#accessed, this.#accessedNs, this.#modified, this.#modifiedNs].map(BigInt),
      ).buffer,
    );
  }
}

function longAt(words: Uint32Array, index: number): number {
  const low = words[index] as number;
  const high = words[index + 1] as number;
  return high === 0 ? low : low + high * 0x1_0000_0000;
}

/** The upper half is signed: times before 1970 are negative. */
function secondsAt(words: Uint32Array, index: number): number {
  const low = words[index] as number;
  const high = words[index + 1] as number;
  return high === 0 ? low : low + (high | 0) * 0x1_0000_0000;
}

function dateOf(seconds: number, nanoseconds: number): Date {
  return new Date(seconds * 1000 + Math.floor(nanoseconds / 1e6));
}

/** The number by which Deno and `stat` know a device (gnu_dev_makedev). */
function deviceNumber(major: number, minor: number): number {
  if (major < 0x1000 && minor < 0x100) return (major << 8) | minor;
  const low = (((major & 0xfff) << 8) | (minor & 0xff)) >>> 0;
  const high = Math.floor(major / 0x1000) * 0x1000;
  return low + (minor - (minor & 0xff)) * 0x1000 + high * 0x1_0000_0000;
}
