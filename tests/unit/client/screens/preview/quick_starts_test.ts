import assert from "node:assert/strict";
import { seekGoal } from "../../../../../lib/client/screens/preview/film/quick_starts.ts";

/** Starts after keyframes ten seconds apart. */
const starts = Array.from({ length: 60 }, (_, at) => at * 10 + (at === 0 ? 0 : 1));
const of = 600;

function loadedFrom(...ranges: [number, number][]) {
  return {
    length: ranges.length,
    start: (at: number) => ranges[at]?.[0] ?? 0,
    end: (at: number) => ranges[at]?.[1] ?? 0,
  };
}

const seek = (from: number, to: number, ...loaded: [number, number][]) =>
  seekGoal({ from, to, of }, starts, loadedFrom(...loaded));

Deno.test("a seek goes to the start before, just into its segment", () => {
  assert.equal(seek(0, 308), 301.1);
  assert.equal(seek(500, 308), 301.1);
});

Deno.test("a seek to what is loaded, and near a start, goes to the very position", () => {
  assert.equal(seek(300, 308, [299, 320]), 308);
  assert.equal(seek(0, 308, [0, 20], [305, 310]), 308);
  assert.equal(seek(0, 301.7), 301.7);
  assert.equal(seek(300, 0), 0);
});

Deno.test("a start less than a segment after the wanted position counts as well", () => {
  assert.equal(seek(0, 300.4), 301.1);
});

Deno.test("a step forward goes at least half of its way, and a step back ends before", () => {
  assert.equal(seek(302, 307), 307, "the start is where it began");
  assert.equal(seek(298, 303), 301.1);
  assert.equal(seek(300, 305), 305, "it would go a fifth of the way");
  assert.equal(seek(312, 302.5), 301.1);
  assert.equal(seek(301, 300.5), 300.5, "the start is after where it began");
});

Deno.test("steps in any direction from anywhere get there", () => {
  for (let from = 0; from < of - 30; from += 0.7) {
    for (const step of [5, 10, 30]) {
      const forward = seek(from, from + step);
      assert.ok(forward >= from + step / 2 && forward <= from + step + 1.1, `${from} + ${step}`);
      const to = Math.max(0, from - step);
      const back = seek(from, to);
      assert.ok(from === 0 || back < from && back >= to - 12, `${from} - ${step}`);
    }
  }
});

Deno.test("starts far away, none at all, and the end of a film leave a seek as it is", () => {
  assert.equal(seekGoal({ from: 0, to: 308, of }, [0], loadedFrom()), 308);
  assert.equal(seekGoal({ from: 0, to: 308, of }, [], loadedFrom()), 308);
  assert.equal(seek(0, 599.9), 599.9);
  assert.equal(seekGoal({ from: 0, to: 308, of: 0 }, starts, loadedFrom()), 308);
});
