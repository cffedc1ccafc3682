/** A part of a text that another text replaces. Positions are in characters of UTF-16. */
export interface TextChange {
  /** Where it begins in the former text. */
  at: number;
  /** How many characters of the former text go. */
  removed: number;
  inserted: string;
}

/**
 * The changes that make one text of another, in the order of the former text. Lines that both have
 * once are anchors (patience diff); what is between two anchors is one change. It takes
 * O(n log n), whatever the texts are.
 */
export function changesBetween(former: string, next: string): TextChange[] {
  const changes: TextChange[] = [];
  const [old, now] = [linesOf(former), linesOf(next)];
  const starts = startsOf(old);
  const endOf = (line: number) => starts[line] ?? former.length;
  let [from, to] = [0, 0];
  for (const [oldLine, newLine] of [...anchorsOf(old, now), [old.length, now.length] as const]) {
    const at = endOf(from);
    const change = trimmed({
      at,
      removed: former.slice(at, endOf(oldLine)),
      inserted: now.slice(to, newLine).join(""),
    });
    if (change) changes.push(change);
    [from, to] = [oldLine + 1, newLine + 1];
  }
  return changes;
}

/** The lines of a text, each with its end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Where each line begins, and the last one ends. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  let at = 0;
  for (const line of lines) starts.push(at += line.length);
  return starts;
}

type Anchor = readonly [old: number, now: number];

/** Lines that are the same in both texts, in ascending order of both. */
function anchorsOf(old: readonly string[], now: readonly string[]): Anchor[] {
  const shorter = Math.min(old.length, now.length);
  let [start, end] = [0, 0];
  while (start < shorter && old[start] === now[start]) start++;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const anchors: Anchor[] = Array.from({ length: start }, (_, line) => [line, line]);
  const once = uniqueLines(old, start, old.length - end);
  const pairs: Anchor[] = [];
  for (const [line, at] of uniqueLines(now, start, now.length - end)) {
    const facing = once.get(line);
    if (facing !== undefined) pairs.push([facing, at]);
  }
  anchors.push(...longestAscending(pairs));
  for (; end > 0; end--) anchors.push([old.length - end, now.length - end]);
  return anchors;
}

/** The lines of a range that it has once, with their numbers, in their order. */
function uniqueLines(lines: readonly string[], start: number, end: number): Map<string, number> {
  const found = new Map<string, number>();
  const often = new Set<string>();
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? "";
    if (found.has(line)) often.add(line);
    else found.set(line, at);
  }
  for (const line of often) found.delete(line);
  return found;
}

/** The most of some pairs that ascend in both numbers; they come ascending in the second one. */
function longestAscending(pairs: readonly Anchor[]): Anchor[] {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [at, [old]] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tails[middle] ?? 0]?.[0] ?? 0) < old) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? tails[low - 1] ?? -1 : -1);
    tails[low] = at;
  }
  const found: Anchor[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) found.push(pair);
  }
  return found.reverse();
}

/** A change without what both texts have at its ends; null for none. Characters stay whole. */
function trimmed(
  { at, removed, inserted }: { at: number; removed: string; inserted: string },
): TextChange | null {
  if (removed === inserted) return null;
  const shorter = Math.min(removed.length, inserted.length);
  let [start, end] = [0, 0];
  while (start < shorter && removed[start] === inserted[start]) start++;
  if (isHigh(removed[start - 1])) start--;
  const same = (back: number) =>
    removed[removed.length - 1 - back] === inserted[inserted.length - 1 - back];
  while (end < shorter - start && same(end)) end++;
  if (end > 0 && isLow(removed[removed.length - end])) end--;
  return {
    at: at + start,
    removed: removed.length - start - end,
    inserted: inserted.slice(start, inserted.length - end),
  };
}

/** Whether a unit of UTF-16 is the first half of a character. */
function isHigh(unit = ""): boolean {
  return unit >= "\ud800" && unit <= "\udbff";
}

/** Whether it is the second half of one. */
function isLow(unit = ""): boolean {
  return unit >= "\udc00" && unit <= "\udfff";
}
