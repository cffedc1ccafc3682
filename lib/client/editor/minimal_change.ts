import type { ChangeSpec, Text } from "@codemirror/state";

/** The one change that makes a text another; what is alike at both ends keeps its place. */
export function minimalChange(from: Text, to: Text): ChangeSpec {
  const before = from.toString();
  const after = to.toString();
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    from: start,
    to: before.length - end,
    insert: to.slice(start, after.length - end),
  };
}
