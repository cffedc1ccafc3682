import { diff } from "@codemirror/merge";
import { ChangeSet, type Text } from "@codemirror/state";

/** Bounds of a comparison: beyond them large parts are taken as replaced. */
const BOUNDS = { scanLimit: 1000, timeout: 500 };

interface Hunk {
  from: number;
  to: number;
  insert: string;
}

function hunksOf(from: string, to: string): Hunk[] {
  if (from === to) return [];
  return diff(from, to, BOUNDS).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: to.slice(fromB, toB),
  }));
}

/** The changes that lead from one text to another. */
export function changesBetween(from: Text, to: Text): ChangeSet {
  return changeSet(hunksOf(from.toString(), to.toString()), from.length);
}

/** In the text of a room lines end with "\n", whatever they end with in the file. */
function changeSet(hunks: Hunk[], length: number): ChangeSet {
  return ChangeSet.of(hunks, length, "\n");
}

/**
 * Merges two texts that were made of the same one, three-way. What both have changed in the same way
 * is changed once; where they differ about a part, the insertions of both stay.
 *
 * @param base the text that both were made of
 * @returns the changes of `theirs` by which it has those of `mine`, too
 */
export function mergeInto(base: Text, mine: Text, theirs: Text): ChangeSet {
  const [from, to] = [base.toString(), theirs.toString()];
  const others = hunksOf(from, to);
  const known = new Set(others.map((hunk) => JSON.stringify(hunk)));
  const own = hunksOf(from, mine.toString()).filter((hunk) => !known.has(JSON.stringify(hunk)));
  return changeSet(own, base.length).map(changeSet(others, base.length));
}
