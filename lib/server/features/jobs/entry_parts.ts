import type { JobEntry } from "./job.ts";

/** Most characters of entries in one record. */
const maxPartLength = 20_000;

/** An entry, or a continuation of the one before it: the list of an archive may be long. */
export type EntryPiece = JobEntry & { goesOn?: true };

/** A record of some entries, and its index. */
export interface EntryPart {
  first: number;
  entries: EntryPiece[];
}

/** Entries in portions that fit into one record each, made one at a time. */
export function* entryParts(entries: readonly JobEntry[]): Generator<EntryPart> {
  let part: EntryPart = { first: 0, entries: [] };
  let length = 0;
  let count = 0;
  for (const entry of entries) {
    for (const piece of piecesOf(entry)) {
      length += JSON.stringify(piece).length;
      if (length > maxPartLength && part.entries.length > 0) {
        yield part;
        part = { first: count, entries: [] };
        length = 0;
      }
      part.entries.push(piece);
      count++;
    }
  }
  if (part.entries.length > 0) yield part;
}

/** The entries of such records, in their order. */
export async function* joinedParts(
  parts: AsyncIterable<readonly EntryPiece[]>,
): AsyncGenerator<JobEntry, undefined> {
  let last: JobEntry | null = null;
  for await (const pieces of parts) {
    for (const { goesOn, ...piece } of pieces) {
      if (goesOn && last) {
        last.chosen?.push(...piece.chosen ?? []);
        continue;
      }
      if (last) yield last;
      last = piece;
    }
  }
  if (last) yield last;
}

/** Reads the entries of a job from front to back, without holding them all. */
export class EntryCursor {
  readonly #entries: AsyncIterator<JobEntry, undefined>;
  #index = -1;
  #entry: JobEntry | undefined;

  constructor(entries: AsyncGenerator<JobEntry, undefined>) {
    this.#entries = entries;
  }

  /** @param index that of the call before, or a later one */
  async at(index: number): Promise<JobEntry | undefined> {
    for (; this.#index < index; this.#index++) this.#entry = (await this.#entries.next()).value;
    return this.#entry;
  }
}

function piecesOf(entry: JobEntry): EntryPiece[] {
  const { path, chosen } = entry;
  if (!chosen) return [entry];
  const pieces: EntryPiece[] = [{ ...entry, chosen: [] }];
  let length = 0;
  for (const each of chosen) {
    length += each.length + 4;
    if (length > maxPartLength) {
      pieces.push({ path, to: null, chosen: [], goesOn: true });
      length = 0;
    }
    pieces.at(-1)?.chosen?.push(each);
  }
  return pieces;
}
