import type { Span } from "../listing/rows.ts";

/** Sets of indexes as sorted, separate spans: a hundred thousand selected rows are one of them. */

/** The set with a span put in. */
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

/** The set with a span taken out. */
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

/** How many indexes the set holds. */
export function sizeOfSpans(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}
