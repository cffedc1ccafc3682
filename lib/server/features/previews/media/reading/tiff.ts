import type { ByteSource } from "./byte_source.ts";

/** A picture that a directory of a TIFF file points to. */
export interface TiffPart {
  offset: number;
  length: number;
}

/** The embedded JPEG pictures that the directories of a TIFF file list. */
export interface TiffPictures {
  parts: TiffPart[];
  /** Orientation of the first directory, 1 to 8. */
  orientation: number;
  /** Width and height by the first directory, in pixels; 0 where it does not tell. */
  width: number;
  height: number;
}

/** The magic numbers of TIFF, and of Olympus, Panasonic and their like. */
const magics = [0x2a, 0x4f52, 0x5352, 0x55];

const tag = {
  subfile: 0x00fe,
  width: 0x0100,
  height: 0x0101,
  compression: 0x0103,
  stripOffsets: 0x0111,
  orientation: 0x0112,
  stripLengths: 0x0117,
  jpegOffset: 0x0201,
  jpegLength: 0x0202,
  panasonicJpeg: 0x002e,
  subDirectories: 0x014a,
  exif: 0x8769,
} as const;

/** Limits against files that are made to be walked for long. */
const maxDirectories = 64;
const maxEntries = 512;
const maxSubDirectories = 16;

/** Bytes of a value, by the type of an entry. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

interface TiffEntry {
  type: number;
  count: number;
  /** Where the value lies. */
  at: number;
}

/**
 * Walks the directories of a TIFF file, as most RAW formats are built, and collects the places of
 * JPEG data. Directories in circles, outside of the file or without end are left out.
 *
 * @param base the position of the TIFF header
 * @returns null for another kind of file
 */
export function findTiffPictures(source: ByteSource, base = 0): TiffPictures | null {
  const head = source.bytes(base, 8);
  const order = String.fromCharCode(...head.subarray(0, 2));
  if (head.length < 8 || (order !== "II" && order !== "MM")) return null;
  const walk = new TiffWalk(source, base, order === "II");
  const view = source.view(base, 8);
  if (!magics.includes(view.getUint16(2, order === "II"))) return null;
  return walk.run(view.getUint32(4, order === "II"));
}

/** Most pages of a scan that are counted. */
const maxPages = 10_000;

/**
 * Counts the pages of a TIFF file, without their smaller copies.
 *
 * @returns 0 for another kind of file
 */
export function countTiffPages(source: ByteSource): number {
  const head = source.bytes(0, 8);
  const isLittle = head[0] === 0x49;
  if (head.length < 8) return 0;
  const seen = new Set<number>();
  let pages = 0;
  try {
    for (let at = source.view(0, 8).getUint32(4, isLittle); at > 0 && !seen.has(at);) {
      if (seen.size >= maxPages) break;
      seen.add(at);
      const count = source.view(at, 2).getUint16(0, isLittle);
      // Entries are in the order of their tags: the first tells whether it is a smaller copy.
      const first = source.view(at + 2, 12);
      const isCopy = first.getUint16(0, isLittle) === tag.subfile &&
        (first.getUint32(8, isLittle) & 1) === 1;
      if (!isCopy) pages++;
      at = source.view(at + 2 + count * 12, 4).getUint32(0, isLittle);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return pages;
}

class TiffWalk {
  readonly #source: ByteSource;
  readonly #base: number;
  readonly #isLittle: boolean;
  readonly #parts: TiffPart[] = [];
  #first = { orientation: 1, width: 0, height: 0 };

  constructor(source: ByteSource, base: number, isLittle: boolean) {
    this.#source = source;
    this.#base = base;
    this.#isLittle = isLittle;
  }

  run(first: number): TiffPictures {
    const seen = new Set<number>();
    const waiting = [first];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      if (at === 0 || seen.has(at) || seen.size >= maxDirectories) continue;
      seen.add(at);
      try {
        waiting.push(...this.#directory(at, at === first));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
    return { parts: this.#parts, ...this.#first };
  }

  /** Reads one directory; returns the offsets of others. */
  #directory(at: number, isFirst: boolean): number[] {
    const start = this.#base + at;
    const count = this.#source.view(start, 2).getUint16(0, this.#isLittle);
    if (count > maxEntries) return [];
    const entries = new Map<number, TiffEntry>();
    for (let index = 0; index < count; index++) {
      const place = start + 2 + index * 12;
      const view = this.#source.view(place, 12);
      const [name, type] = [view.getUint16(0, this.#isLittle), view.getUint16(2, this.#isLittle)];
      const values = view.getUint32(4, this.#isLittle);
      const isInline = values * (typeBytes[type] ?? 1) <= 4;
      const value = isInline ? place + 8 : this.#base + view.getUint32(8, this.#isLittle);
      entries.set(name, { type, count: values, at: value });
    }
    const number = (name: number) => this.#numbers(entries.get(name), 1)[0];
    if (isFirst) {
      const orientation = number(tag.orientation) ?? 1;
      this.#first = {
        orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
        width: number(tag.width) ?? 0,
        height: number(tag.height) ?? 0,
      };
    }
    this.#collect(entries, number);
    const next = this.#source.view(start + 2 + count * 12, 4).getUint32(0, this.#isLittle);
    const below = this.#numbers(entries.get(tag.subDirectories), maxSubDirectories);
    return [...below, number(tag.exif) ?? 0, next];
  }

  #collect(
    entries: ReadonlyMap<number, TiffEntry>,
    number: (name: number) => number | undefined,
  ): void {
    this.#add(number(tag.jpegOffset), number(tag.jpegLength));
    const isJpeg = [6, 7].includes(number(tag.compression) ?? 0);
    const strips = entries.get(tag.stripOffsets);
    if (isJpeg && strips?.count === 1) {
      this.#add(number(tag.stripOffsets), number(tag.stripLengths));
    }
    const panasonic = entries.get(tag.panasonicJpeg);
    if (panasonic) this.#add(panasonic.at - this.#base, panasonic.count);
  }

  #add(offset = 0, length = 0): void {
    const start = this.#base + offset;
    if (offset > 0 && length > 0 && start + length <= this.#source.size) {
      this.#parts.push({ offset: start, length });
    }
  }

  /** Whole numbers of an entry. */
  #numbers(entry: TiffEntry | undefined, max: number): number[] {
    if (!entry) return [];
    const isShort = entry.type === 3;
    const width = isShort ? 2 : 4;
    return Array.from({ length: Math.min(entry.count, max) }, (_, index) => {
      const view = this.#source.view(entry.at + index * width, width);
      return isShort ? view.getUint16(0, this.#isLittle) : view.getUint32(0, this.#isLittle);
    });
  }
}
