import type { Entry, Group, Resource } from "../../../shared/schemas/entry.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";

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
 * The loaded entries of a folder, in its order. Immutable: a change returns a new instance that
 * shares the loaded chunks.
 */
export class Rows {
  /** A folder about which nothing is known. */
  static readonly none = new Rows(0);

  readonly #chunks: ReadonlyMap<number, readonly Entry[]>;
  /** The number of loaded entries. */
  readonly loaded: number;

  /** @param total the folder's number of entries */
  constructor(readonly total: number, chunks: ReadonlyMap<number, readonly Entry[]> = new Map()) {
    this.#chunks = chunks;
    this.loaded = [...chunks.values()].reduce((sum, chunk) => sum + chunk.length, 0);
  }

  /** An entry by its index; undefined while it is not loaded. */
  at(index: number): Entry | undefined {
    return this.#chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
  }

  /**
   * The same rows with one more window.
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

  /** The missing parts of a span, in whole chunks. */
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

  /** The loaded entries of a span with their indexes, in order; all by default. */
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

  /** The index of a loaded entry by name; -1 if there is none. */
  indexOf(name: string): number {
    for (const [index, entry] of this.entries()) if (entry.name === name) return index;
    return -1;
  }
}

/**
 * The known file at a path, if it can be shown without a request. Texts need their content, and for
 * a name without an extension ("NOTES") the listing does not know the type.
 *
 * @param beside the loaded row of the open list at this path
 * @param expected a file that may be opened next
 */
export function knownFile(
  path: EntryPath,
  beside: Entry | undefined,
  expected: Entry | undefined,
): Entry | undefined {
  const entry = expected?.path === path ? expected : beside;
  if (!entry || /^(text|blob|listing)/.test(entry.type)) return undefined;
  return { ...entry, name: nameOf(path) };
}

/** Sets of indexes as sorted, disjoint spans: a hundred thousand selected rows are one span. */

/** The set with a span added. */
export function addSpan(spans: readonly Span[], added: Span): Span[] {
  if (added.to <= added.from) return [...spans];
  const apart = spans.filter(({ from, to }) => to < added.from || from > added.to);
  const touching = spans.filter((span) => !apart.includes(span));
  const merged = {
    from: Math.min(added.from, ...touching.map(({ from }) => from)),
    to: Math.max(added.to, ...touching.map(({ to }) => to)),
  };
  return [...apart, merged].sort((a, b) => a.from - b.from);
}

/** The set with a span removed. */
export function removeSpan(spans: readonly Span[], removed: Span): Span[] {
  return spans.flatMap(({ from, to }) => [
    { from, to: Math.min(to, removed.from) },
    { from: Math.max(from, removed.to), to },
  ]).filter(({ from, to }) => from < to);
}

/** Whether an index is in the set. */
export function inSpans(spans: readonly Span[], index: number): boolean {
  return spans.some(({ from, to }) => from <= index && index < to);
}

/** The number of indexes in the set. */
export function sizeOfSpans(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/**
 * A fingerprint of a folder's state: it changes when entries are added, removed or renamed, and when
 * folders that are sorted by size have other sizes.
 */
export function stampOf(resource: Resource | null): string {
  const { modified, numDirs, numFiles, sizesTag } = resource ?? {};
  return [modified, numDirs, numFiles, sizesTag].join(" ");
}

/** Whether two lists of groups are alike. */
export function sameGroups(groups: readonly Group[], others: readonly Group[] = []): boolean {
  return groups.length === others.length &&
    groups.every(({ name, count }, at) => others[at]?.name === name && others[at].count === count);
}
