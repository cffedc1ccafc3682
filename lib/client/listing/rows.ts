import type { Entry } from "../../shared/api_types.ts";

/** Rows are read in multiples of this; the server's first page is one. */
export const CHUNK = 50;

/** Entries from `from` up to, not including, `to`. */
export interface Span {
  from: number;
  to: number;
}

/** A span in whole chunks: one at least, and of `most` entries at the most. */
export function wholeChunks(span: Span, most: number): Span {
  const from = Math.floor(span.from / CHUNK) * CHUNK;
  const to = Math.min(from + most, Math.ceil(span.to / CHUNK) * CHUNK);
  return { from, to: Math.max(to, from + CHUNK) };
}

/**
 * The entries of a folder as far as they are loaded, in its order. Immutable: a change makes
 * another one, which shares everything loaded with the former.
 */
export class Rows {
  /** A folder about which nothing is known. */
  static readonly none = new Rows(0);

  readonly #chunks: ReadonlyMap<number, readonly Entry[]>;
  /** How many entries are loaded. */
  readonly loaded: number;

  /** @param total how many entries the folder has */
  constructor(readonly total: number, chunks: ReadonlyMap<number, readonly Entry[]> = new Map()) {
    this.#chunks = chunks;
    this.loaded = [...chunks.values()].reduce((sum, chunk) => sum + chunk.length, 0);
  }

  /** An entry by its place in the order; undefined while it is not loaded. */
  at(index: number): Entry | undefined {
    return this.#chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
  }

  /**
   * The same rows and a window more.
   *
   * @param offset a multiple of {@linkcode CHUNK}
   */
  with(offset: number, entries: readonly Entry[]): Rows {
    const chunks = new Map(this.#chunks);
    for (let start = 0; start < entries.length; start += CHUNK) {
      chunks.set((offset + start) / CHUNK, entries.slice(start, start + CHUNK));
    }
    return new Rows(this.total, chunks);
  }

  /** What is to be read so that all entries of a span are loaded, in whole chunks. */
  missing({ from, to }: Span): Span[] {
    const spans: Span[] = [];
    const end = Math.ceil(Math.min(to, this.total) / CHUNK);
    for (let chunk = Math.floor(Math.max(0, from) / CHUNK); chunk < end; chunk++) {
      if (this.#chunks.has(chunk)) continue;
      const last = spans.at(-1);
      if (last?.to === chunk * CHUNK) last.to += CHUNK;
      else spans.push({ from: chunk * CHUNK, to: (chunk + 1) * CHUNK });
    }
    return spans;
  }

  /** The loaded entries of a span with their places, in order; all of them by default. */
  *entries({ from, to }: Span = { from: 0, to: this.total }): Generator<[number, Entry]> {
    for (const chunk of [...this.#chunks.keys()].sort((a, b) => a - b)) {
      const start = chunk * CHUNK;
      if (start >= to || start + CHUNK <= from) continue;
      for (const [index, entry] of (this.#chunks.get(chunk) ?? []).entries()) {
        if (start + index >= from && start + index < to) yield [start + index, entry];
      }
    }
  }

  /** Every entry of the folder by its name, if all of them are loaded. */
  allByName(): ReadonlyMap<string, Entry> | null {
    if (this.loaded < this.total) return null;
    return new Map([...this.entries()].map(([, entry]) => [entry.name, entry]));
  }

  /** The loaded entries that have one of these names, in order. */
  withNames(names: ReadonlySet<string>): Entry[] {
    return [...this.entries()].map(([, entry]) => entry).filter(({ name }) => names.has(name));
  }

  /** The place of a loaded entry; -1 when none of them has the name. */
  indexOf(name: string): number {
    for (const [index, entry] of this.entries()) if (entry.name === name) return index;
    return -1;
  }
}
