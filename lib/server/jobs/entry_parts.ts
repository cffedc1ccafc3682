import type { JobEntry } from "./job.ts";

/** Most characters of entries in one record. */
const longestPart = 20_000;

/** An entry, or a continuation of the one before it: the list of an archive may be long. */
export type EntryPiece = JobEntry & { goesOn?: true };

/** A record of some entries, and its index. */
export interface EntryPart {
  first: number;
  entries: EntryPiece[];
}

/** Entries in portions that fit into one record each. */
export function entryParts(entries: readonly JobEntry[]): EntryPart[] {
  const parts: EntryPart[] = [];
  let length = Infinity;
  for (const [first, entry] of entries.flatMap(piecesOf).entries()) {
    length += JSON.stringify(entry).length;
    if (length > longestPart) {
      parts.push({ first, entries: [] });
      length = 0;
    }
    parts.at(-1)?.entries.push(entry);
  }
  return parts;
}

/** The entries of such records, in their order. */
export function joinedParts(parts: readonly EntryPiece[][]): JobEntry[] {
  const entries: JobEntry[] = [];
  for (const { goesOn, ...piece } of parts.flat()) {
    const last = entries.at(-1);
    if (goesOn && last) last.chosen?.push(...piece.chosen ?? []);
    else entries.push(piece);
  }
  return entries;
}

function piecesOf(entry: JobEntry): EntryPiece[] {
  const { path, chosen } = entry;
  if (!chosen) return [entry];
  const pieces: EntryPiece[] = [{ ...entry, chosen: [] }];
  let length = 0;
  for (const each of chosen) {
    length += each.length + 4;
    if (length > longestPart) {
      pieces.push({ path, to: null, chosen: [], goesOn: true });
      length = 0;
    }
    pieces.at(-1)?.chosen?.push(each);
  }
  return pieces;
}
