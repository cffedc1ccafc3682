import { compareNames, nameKey } from "../../../shared/natural_order.ts";

/** Names handled between two steps. */
const stepSize = 16_384;

/** Parts up to this size are sorted by comparisons: a table of counts would be larger. */
const smallPart = 24;

type Positions = Uint32Array<ArrayBuffer>;

/**
 * The order of names from A to Z, as their positions: in natural order, case and accents folded. A
 * radix sort: a million names need no objects, and no choice of names makes it quadratic.
 *
 * @param nameOf the name at a position
 * @returns steps of a few milliseconds each, then the order
 */
export function* orderByName(
  count: number,
  nameOf: (position: number) => string,
): Generator<void, Positions> {
  const sort = new NameSort(count, nameOf);
  for (let position = 0; position < count; position++) {
    sort.add(nameKey(nameOf(position)));
    if (position % stepSize === stepSize - 1) yield;
  }
  const order = new Uint32Array(count);
  for (let position = 0; position < count; position++) order[position] = position;
  yield* sort.sort(order, 0);
  return order;
}

/** Takes all steps at once. */
export function allSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Sorts positions by the keys of their names, which lie in one buffer. */
class NameSort {
  readonly #nameOf: (position: number) => string;
  /** The keys, each with a zero byte at its end. */
  #bytes: Uint8Array<ArrayBuffer>;
  readonly #starts: Positions;
  /** For one partition: its result, and the byte of each of its keys. */
  readonly #room: Positions;
  readonly #found: Uint8Array<ArrayBuffer>;
  #count = 0;
  #used = 0;

  constructor(count: number, nameOf: (position: number) => string) {
    this.#nameOf = nameOf;
    this.#bytes = new Uint8Array(count * 32);
    this.#starts = new Uint32Array(count);
    this.#room = new Uint32Array(count);
    this.#found = new Uint8Array(count);
  }

  /** Adds the key of the next name. Its bytes are in the order of its code units (CESU-8). */
  add(key: string): void {
    const most = this.#used + key.length * 3 + 1;
    if (most > this.#bytes.length) {
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.max(most, this.#used * 2)));
    }
    const bytes = this.#bytes;
    let at = this.#starts[this.#count++] = this.#used;
    for (let index = 0; index < key.length; index++) {
      const unit = key.charCodeAt(index);
      if (unit < 0x80) {
        bytes[at++] = unit;
        continue;
      }
      if (unit < 0x800) {
        bytes[at++] = 0xc0 | unit >> 6;
      } else {
        bytes[at++] = 0xe0 | unit >> 12;
        bytes[at++] = 0x80 | unit >> 6 & 0x3f;
      }
      bytes[at++] = 0x80 | unit & 0x3f;
    }
    bytes[at] = 0;
    this.#used = at + 1;
  }

  /** Sorts a part in place. @param depth the bytes that all of its keys have in common */
  *sort(part: Positions, depth: number): Generator<void> {
    if (part.length <= smallPart) return this.#sortSmall(part, depth);
    const at = this.#commonPrefix(part, depth);
    if (part.length >= stepSize) yield;
    const starts = this.#partition(part, at);
    if (part.length >= stepSize) yield;
    for (let byte = 0; byte < 256; byte++) {
      const [start, end] = [starts[byte] as number, starts[byte + 1] ?? part.length];
      if (end - start < 2) continue;
      const below = part.subarray(start, end);
      if (byte === 0) below.sort((a, b) => this.#compareNames(a, b));
      else yield* this.sort(below, at + 1);
    }
  }

  /** Puts a part in the order of one byte of its keys. @returns the start of each byte's part */
  #partition(part: Positions, at: number): Positions {
    const [bytes, starts, room, found] = [this.#bytes, this.#starts, this.#room, this.#found];
    const ends = new Uint32Array(256);
    for (let index = 0; index < part.length; index++) {
      const byte = bytes[(starts[part[index] as number] as number) + at] as number;
      found[index] = byte;
      ends[byte] = (ends[byte] as number) + 1;
    }
    for (let byte = 1; byte < 256; byte++) {
      ends[byte] = (ends[byte] as number) + (ends[byte - 1] as number);
    }
    for (let index = part.length - 1; index >= 0; index--) {
      const byte = found[index] as number;
      const to = (ends[byte] as number) - 1;
      ends[byte] = to;
      room[to] = part[index] as number;
    }
    part.set(room.subarray(0, part.length));
    return ends;
  }

  /** Insertion sort. */
  #sortSmall(part: Positions, depth: number): void {
    for (let index = 1; index < part.length; index++) {
      const position = part[index] as number;
      let to = index;
      for (; to > 0; to--) {
        const before = part[to - 1] as number;
        if (this.#compare(before, position, depth) < 0) break;
        part[to] = before;
      }
      part[to] = position;
    }
  }

  /** The number of first bytes that all keys of a part have in common. */
  #commonPrefix(part: Positions, depth: number): number {
    const [bytes, starts] = [this.#bytes, this.#starts];
    const first = starts[part[0] as number] as number;
    let end = depth;
    while (bytes[first + end] !== 0) end++;
    for (const position of part) {
      const start = starts[position] as number;
      let at = depth;
      while (at < end && bytes[start + at] === bytes[first + at]) at++;
      end = at;
      if (end === depth) break;
    }
    return end;
  }

  #compare(a: number, b: number, depth: number): number {
    const bytes = this.#bytes;
    let atA = this.#starts[a] as number + depth;
    let atB = this.#starts[b] as number + depth;
    for (; bytes[atA] === bytes[atB]; atA++, atB++) {
      if (bytes[atA] === 0) return this.#compareNames(a, b);
    }
    return (bytes[atA] as number) - (bytes[atB] as number);
  }

  #compareNames(a: number, b: number): number {
    return compareNames(this.#nameOf(a), this.#nameOf(b));
  }
}
