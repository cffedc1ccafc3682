import assert from "node:assert/strict";
import type { Plan } from "../../../../../lib/client/screens/preview/film/how_to_play.ts";
import {
  QuickStarts,
  type SoughtElement,
} from "../../../../../lib/client/screens/preview/film/quick_starts.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";

/** Starts after keyframes ten seconds apart. */
const starts = Array.from({ length: 60 }, (_, at) => at * 10 + (at === 0 ? 0 : 1));
const of = 600;
const converted: Plan = { is: "stream", video: "480", why: { is: "choice" } };

/** An element at a position, that has loaded something. */
function elementAt(from: number, loaded: [number, number][] = [], duration = of): SoughtElement {
  return {
    ...{ currentTime: from, duration },
    buffered: {
      length: loaded.length,
      start: (at) => loaded[at]?.[0] ?? 0,
      end: (at) => loaded[at]?.[1] ?? 0,
    },
  };
}

/** Where a seek ends. */
function seek(from: number, to: number, ...loaded: [number, number][]): number {
  const element = elementAt(from, loaded);
  new QuickStarts(starts).seek(element, to, converted);
  return element.currentTime;
}

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

Deno.test("a start a bit more than a segment after the wanted position counts as well", () => {
  assert.equal(seek(0, 299.9), 301.1);
  assert.equal(seek(0, 299.7), 291.1);
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
      assert.ok(forward >= from + step / 2 && forward <= from + step + 1.3, `${from} + ${step}`);
      const to = Math.max(0, from - step);
      const back = seek(from, to);
      assert.ok(from === 0 || back < from && back >= to - 12, `${from} - ${step}`);
    }
  }
});

Deno.test("starts far away, none at all, and the end of a film leave a seek as it is", () => {
  for (const known of [[0], [], null]) {
    const element = elementAt(0);
    new QuickStarts(known).seek(element, 308, converted);
    assert.equal(element.currentTime, 308);
  }
  assert.equal(seek(0, 599.9), 599.9);
  const endless = elementAt(0, [], NaN);
  new QuickStarts(starts).seek(endless, 308, converted);
  assert.equal(endless.currentTime, 308);
});

Deno.test("a film goes on at the start before the place where it was left", () => {
  const quick = new QuickStarts(starts);
  for (const [at, from] of [[308, 301.1], [310.9, 301.1], [311.05, 311.1], [8, 0.1]] as const) {
    assert.equal(quick.before(at, converted), from);
    assert.equal(quick.before(at, { ...converted, video: "copy" }), at);
    assert.equal(quick.before(at, { is: "file" }), at);
    assert.equal(new QuickStarts().before(at, converted), at, "no starts are known");
  }
  assert.equal(new QuickStarts([0, 200]).before(308, converted), 308, "it is too far");
});

Deno.test("what is not converted is sought as it is, and its starts are not asked for", async () => {
  const asked: unknown[] = [];
  const calls = {
    json(_call: string, options: { query: unknown }) {
      asked.push(options.query);
      return Promise.resolve({ ok: true, value: { quickStarts: starts } });
    },
  };
  const film = { api: { calls } as never, path: parsePath("/a.mkv").path };
  const { signal } = new AbortController();
  const quick = new QuickStarts();
  for (const plan of [null, { is: "file" }, { ...converted, video: "copy" }] as (Plan | null)[]) {
    const element = elementAt(0);
    await quick.read(film, plan, signal);
    quick.seek(element, 308, plan);
    assert.equal(element.currentTime, 308);
  }
  assert.deepEqual(asked, []);
  await Promise.all([quick.read(film, converted, signal), quick.read(film, converted, signal)]);
  assert.deepEqual(asked, [{ starts: true }]);
  const element = elementAt(0);
  quick.seek(element, 308, converted);
  assert.equal(element.currentTime, 301.1);
});
