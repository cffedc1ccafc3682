import { type EntryInfo, modifiedOf } from "./entries.ts";

const isKnown = 1;
const isDirectory = 2;
const isFile = 4;
const isVideo = 8;

/** The bytes of an entry's facts. */
const entryBytes = 21;

/** The shown facts of entries by numbers: 21 bytes for each, no objects. */
export class FactsTable {
  /** All of it, for another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #size: Float64Array;
  readonly #modified: Float64Array;
  readonly #mode: Uint32Array;
  readonly #flags: Uint8Array;

  /**
   * @param count of the entries
   * @param bytes of a table with as many
   */
  constructor(count: number, bytes = new Uint8Array(entryBytes * count)) {
    const { buffer } = this.bytes = bytes;
    this.#size = new Float64Array(buffer, 0, count);
    this.#modified = new Float64Array(buffer, 8 * count, count);
    this.#mode = new Uint32Array(buffer, 16 * count, count);
    this.#flags = new Uint8Array(buffer, 20 * count, count);
  }

  /** Keeps the facts of other entries, from a number on. */
  setAll(first: number, others: FactsTable): void {
    this.#size.set(others.#size, first);
    this.#modified.set(others.#modified, first);
    this.#mode.set(others.#mode, first);
    this.#flags.set(others.#flags, first);
  }

  /** Keeps the facts of an entry; null for one that has vanished. */
  set(number: number, info: EntryInfo | null): void {
    if (info === null) {
      this.#flags[number] = 0;
      return;
    }
    this.#size[number] = info.size;
    this.#modified[number] = modifiedOf(info).getTime();
    this.#mode[number] = info.mode ?? 0;
    this.#flags[number] = isKnown | (info.isDirectory ? isDirectory : 0) |
      (info.isFile ? isFile : 0);
  }

  /** Whether there are facts of an entry. */
  has(number: number): boolean {
    return this.#flags[number] !== 0;
  }

  /** The size of an entry, in bytes. */
  size(number: number): number {
    return this.#size[number] as number;
  }

  /** When an entry was modified, in milliseconds since 1970. */
  modified(number: number): number {
    return this.#modified[number] as number;
  }

  /** The permission bits of an entry, with those of its type. */
  mode(number: number): number {
    return this.#mode[number] as number;
  }

  /** Whether an entry is a folder, a regular file or neither. */
  kind(number: number): "folder" | "file" | "other" {
    const flags = this.#flags[number] as number;
    return flags & isDirectory ? "folder" : flags & isFile ? "file" : "other";
  }

  /** Notes that an entry is a video, whatever its name tells. */
  setVideo(number: number): void {
    this.#flags[number] = (this.#flags[number] as number) | isVideo;
  }

  /** Whether an entry is a video, as its first bytes tell. */
  isVideo(number: number): boolean {
    return ((this.#flags[number] as number) & isVideo) !== 0;
  }

  /** The facts of an entry that has some. */
  get(number: number): EntryInfo {
    const flags = this.#flags[number] as number;
    return {
      isDirectory: (flags & isDirectory) !== 0,
      isFile: (flags & isFile) !== 0,
      size: this.size(number),
      mtime: new Date(this.modified(number)),
      mode: this.#mode[number] as number,
    };
  }
}
