import assert from "node:assert/strict";
import { judge } from "../../../bench/soak/series.ts";

const series = (memoryAt: (minute: number) => number) =>
  Array.from({ length: 21 }, (_, minute) => ({ minute, memory: memoryAt(minute) }));

Deno.test("a soak in which memory grows to the end is not flat", () => {
  assert.equal(judge(series((minute) => 300 + 10 * minute), 20)?.isFlat, false);
});

Deno.test("memory may rise until the fifth minute, and go up and down later", () => {
  const rising = (minute: number) => 150 + 50 * minute;
  const waves = (minute: number) => 400 + 40 * (minute % 2);
  const verdict = judge(series((minute) => minute < 5 ? rising(minute) : waves(minute)), 20);
  assert.equal(verdict?.isFlat, true);
});

Deno.test("one high sample at the end is no growth", () => {
  assert.equal(judge(series((minute) => minute === 20 ? 900 : 400), 20)?.isFlat, true);
});

Deno.test("a soak without samples shows nothing and does not pass", () => {
  assert.equal(judge([], 20)?.isFlat, false);
});

Deno.test("a soak in which memory can't settle is not judged", () => {
  assert.equal(judge(series((minute) => 100 * minute), 5), null);
});
