import type { Child } from "../../core/access/folder_visibility.ts";
import type { EntryKind } from "../../core/disk/facts.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { orderByName } from "./name_order.ts";
import { type Groups, sortEntries } from "./sort.ts";
import { typeOfName } from "../content/types.ts";

const chunkBits = 12;
/** Names in a chunk. */
export const chunkSize = 1 << chunkBits;

/** Entries examined between two pauses. */
const stride = 512;

const quote = 0x22;
const backslash = 0x5c;

const kinds: readonly EntryKind[] = ["file", "folder", "link", "other"];

/** The names of some entries in one text, with a NUL before and after each. */
interface Chunk {
  text: string;
  /** Where each name ends. */
  ends: Uint32Array;
  /** Positions in {@link kinds}. */
  kinds: Uint8Array;
}

/** A {@link NameTable} as it is sent to another thread. */
export interface SentNames {
  chunks: readonly Chunk[];
}

/**
 * The visible entries of a folder as far as the folder itself tells, in few objects: a million of
 * them take about 50 MB, and nothing of it keeps the garbage collector busy. An entry is known by
 * its number, in the order of the disk.
 */
export class NameTable {
  readonly #chunks: readonly Chunk[];
  readonly #links: ReadonlyMap<number, Child>;
  #pictures: number | undefined;
  /** The latest result of {@link inOrder}. */
  #order: { asc: boolean; numbers: readonly number[] } | undefined;

  /** @param sorted the numbers of the entries, from A to Z */
  constructor(
    chunks: readonly Chunk[],
    links: ReadonlyMap<number, Child>,
    readonly sorted: Groups<number>,
  ) {
    this.#chunks = chunks;
    this.#links = links;
  }

  /**
   * Makes a table of entries that come in parts.
   *
   * @throws the reason of the pauses' signal
   */
  static async of(parts: Iterable<readonly Child[]>, pauses: Pauses): Promise<NameTable> {
    const chunks: Chunk[] = [];
    const links = new Map<number, Child>();
    const numbers: Groups<number> = { folders: [], files: [] };
    let count = 0;
    let pending: Child[] = [];
    for (const part of parts) {
      for (const child of part) {
        if (child.target) links.set(count, child);
        (child.isFolder ? numbers.folders : numbers.files).push(count++);
        if (pending.push(child) === chunkSize) {
          chunks.push(chunkOf(pending));
          pending = [];
        }
      }
      if (pauses.isDue) await pauses.pause();
    }
    if (pending.length > 0) chunks.push(chunkOf(pending));
    const unsorted = new NameTable(chunks, links, numbers);
    const folders = await unsorted.#inOrder(numbers.folders, pauses);
    const files = await unsorted.#inOrder(numbers.files, pauses);
    return new NameTable(chunks, links, { folders, files });
  }

  async #inOrder(numbers: readonly number[], pauses: Pauses): Promise<number[]> {
    const steps = orderByName(numbers.length, (position) => this.name(numbers[position] as number));
    const sorted: number[] = [];
    for (const position of await pauses.between(steps)) {
      const length = sorted.push(numbers[position] as number);
      if (length % chunkSize === 0 && pauses.isDue) await pauses.pause();
    }
    return sorted;
  }

  /** A table from another thread, without its order. */
  static received({ chunks }: SentNames): NameTable {
    return new NameTable(chunks, new Map(), { folders: [], files: [] });
  }

  /** The table for another thread; null with links, whose targets were resolved in this one. */
  get sent(): SentNames | null {
    return this.#links.size === 0 ? { chunks: this.#chunks } : null;
  }

  /**
   * A part of {@link sent}, in which entries are numbered from 0 on.
   *
   * @param from a multiple of {@link chunkSize}, and so is `to` but at the end of the table
   */
  sentPart(from: number, to: number): SentNames | null {
    return this.sent && { chunks: this.#chunks.slice(from / chunkSize, Math.ceil(to / chunkSize)) };
  }

  /** The number of entries. */
  get count(): number {
    const last = this.#chunks.at(-1);
    return last ? (this.#chunks.length - 1) * chunkSize + last.ends.length : 0;
  }

  /** The memory that it takes, in bytes: at most two for a character, and 21 for an entry. */
  get bytes(): number {
    return this.#chunks.reduce((sum, { text }) => sum + 2 * text.length, 21 * this.count);
  }

  /** The links among the entries. */
  get links(): IteratorObject<Child> {
    return this.#links.values();
  }

  /** The name of an entry. */
  name(number: number): string {
    const { text, ends } = this.#chunkAt(number);
    const at = number % chunkSize;
    return text.slice(at === 0 ? 1 : (ends[at - 1] as number) + 1, ends[at]);
  }

  /**
   * Writes a name that is the same in JSON: ASCII without escapes.
   *
   * @param at where it begins; the caller has made room
   * @returns where it ends; -1 for any other name
   */
  writePlainName(number: number, bytes: Uint8Array, at: number): number {
    const { text, ends } = this.#chunkAt(number);
    const index = number % chunkSize;
    const end = ends[index] as number;
    let to = at;
    for (let from = index === 0 ? 1 : (ends[index - 1] as number) + 1; from < end; from++) {
      const unit = text.charCodeAt(from);
      if (unit < 0x20 || unit >= 0x80 || unit === quote || unit === backslash) return -1;
      bytes[to++] = unit;
    }
    return to;
  }

  /** The length of a name, in UTF-16 code units. */
  nameLength(number: number): number {
    const { ends } = this.#chunkAt(number);
    const index = number % chunkSize;
    return (ends[index] as number) - (index === 0 ? 1 : (ends[index - 1] as number) + 1);
  }

  /** Whether an entry is a link. */
  isLink(number: number): boolean {
    return this.#links.size > 0 && this.#links.has(number);
  }

  /** The number of the entry with a name; undefined when there is none. */
  find(name: string): number | undefined {
    for (const [index, { text, ends }] of this.#chunks.entries()) {
      const at = text.indexOf(`\0${name}\0`);
      if (at === -1) continue;
      const number = index * chunkSize + ends.indexOf(at + 1 + name.length);
      // A name from a request may hold a NUL itself.
      return this.name(number) === name ? number : undefined;
    }
    return undefined;
  }

  /** All entries by name: folders, then files. */
  inOrder(asc: boolean): readonly number[] {
    if (this.#order?.asc !== asc) {
      const numbers = sortEntries(this.sorted, { by: "name", asc }, () => 0);
      this.#order = { asc, numbers };
    }
    return this.#order.numbers;
  }

  /** An entry. */
  child(number: number): Child {
    const link = this.isLink(number) && this.#links.get(number);
    if (link) return link;
    const kind = kinds[this.#chunkAt(number).kinds[number % chunkSize] as number] as EntryKind;
    return { name: this.name(number), kind, isFolder: kind === "folder", target: null };
  }

  /** Whether an entry is a link without a target, or with one outside the scope. */
  isBroken(number: number): boolean {
    const link = this.#links.get(number);
    return link !== undefined && link.target?.kind !== "inside";
  }

  /**
   * The number of pictures and videos among files, by their names.
   *
   * @throws the reason of the pauses' signal
   */
  async pictures(files: readonly number[], pauses: Pauses): Promise<number> {
    const isWhole = files === this.sorted.files;
    if (isWhole && this.#pictures !== undefined) return this.#pictures;
    let count = 0;
    for (const [index, number] of files.entries()) {
      const type = typeOfName(this.name(number));
      if (type === "image" || type === "video") count++;
      if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
    }
    if (isWhole) this.#pictures = count;
    return count;
  }

  #chunkAt(number: number): Chunk {
    return this.#chunks[number >>> chunkBits] as Chunk;
  }
}

function chunkOf(children: readonly Child[]): Chunk {
  const ends = new Uint32Array(children.length);
  let end = 0;
  children.forEach(({ name }, index) => ends[index] = end += 1 + name.length);
  return {
    // Flat, unlike a text that is put together of others: its characters are read one by one.
    text: ["", ...children.map(({ name }) => name), ""].join("\0"),
    ends,
    kinds: Uint8Array.from(children, ({ kind }) => kinds.indexOf(kind)),
  };
}
