import assert from "node:assert/strict";
import {
  besideLine,
  entryAt,
  heightOf,
  overscanFor,
  pageOf,
  scrollToCentre,
  scrollToKeep,
  scrollToReveal,
  sliceFor,
  topOf,
} from "../../../../../lib/client/base/files/row_window.ts";
import { fc } from "../../../../support/run/property.ts";

const grid = fc.record({
  total: fc.integer({ min: 0, max: 100_000 }),
  columns: fc.integer({ min: 1, max: 12 }),
  rowHeight: fc.integer({ min: 10, max: 300 }),
});
const view = fc.record({
  scrollTop: fc.integer({ min: -500, max: 31_000_000 }),
  height: fc.integer({ min: 0, max: 3000 }),
});

Deno.test("sliceFor() draws nothing of an empty folder", () => {
  const slice = sliceFor({ total: 0, columns: 1, rowHeight: 40 }, { scrollTop: 0, height: 800 }, 8);
  assert.deepEqual(slice, { first: 0, last: 0, top: 0, height: 0 });
});

Deno.test("sliceFor() draws few of 100,000 rows and makes the scroll bar true", () => {
  const list = { total: 100_000, columns: 1, rowHeight: 40 };
  const { first, last, top, height } = sliceFor(list, { scrollTop: 2_000_000, height: 800 }, 8);
  assert.deepEqual({ first, last, top, height }, {
    first: 49_992,
    last: 50_028,
    top: 1_999_680,
    height: 4_000_000,
  });
});

Deno.test("sliceFor() draws every entry that is in view, and few others", () => {
  fc.assert(fc.property(grid, view, (grid, view) => {
    const { total, columns, rowHeight } = grid;
    const slice = sliceFor(grid, view, 3);
    assert.ok(slice.first >= 0 && slice.last <= total);
    assert.equal(slice.top, (slice.first / columns) * rowHeight);
    assert.equal(slice.height, heightOf(grid));
    const seen = Math.ceil(view.height / rowHeight) + 1;
    assert.ok(slice.last - slice.first <= (seen + 6) * columns);

    const furthest = Math.max(0, slice.height - view.height);
    const scrolled = Math.min(Math.max(0, view.scrollTop), furthest);
    const topmost = Math.floor(scrolled / rowHeight) * columns;
    if (topmost < total) assert.ok(slice.first <= topmost);
    const lowest = Math.min(total, Math.ceil((scrolled + view.height) / rowHeight) * columns);
    assert.ok(slice.last >= lowest);
  }));
});

Deno.test("scrollToReveal() brings an entry wholly into view and moves no more than it must", () => {
  const list = { total: 1000, columns: 1, rowHeight: 40 };
  const shown = { scrollTop: 4000, height: 800 };
  assert.equal(scrollToReveal(list, shown, 100), 4000);
  assert.equal(scrollToReveal(list, shown, 119), 4000);
  assert.equal(scrollToReveal(list, shown, 120), 4040);
  assert.equal(scrollToReveal(list, shown, 99), 3960);
  assert.equal(scrollToReveal({ ...list, columns: 4 }, shown, 3), 0);
});

Deno.test("scrollToKeep() moves nothing while the entries lie as before", () => {
  const list = { total: 1000, columns: 1, rowHeight: 40 };
  assert.equal(scrollToKeep(list, { scrollTop: 400, height: 800 }, { ...list }), null);
});

Deno.test("scrollToKeep() asks nothing of another folder", () => {
  const list = { total: 1000, columns: 1, rowHeight: 40 };
  const other = { total: 999, columns: 4, rowHeight: 80 };
  assert.equal(scrollToKeep(list, { scrollTop: 400, height: 800 }, other), null);
});

Deno.test("scrollToKeep() keeps the line of the topmost entry, and the part of it that was passed", () => {
  fc.assert(fc.property(grid, grid, fc.nat(1_000_000), (before, other, scrollTop) => {
    const now = { ...other, total: before.total };
    const top = scrollToKeep(before, { scrollTop, height: 800 }, now);
    if (top === null || scrollTop + 800 >= heightOf(before) - 1) return;
    const topmost = Math.floor(scrollTop / before.rowHeight) * before.columns;
    const line = Math.floor(top / now.rowHeight + 1e-9);
    assert.equal(line, Math.floor(topmost / now.columns));
  }));
});

Deno.test("scrollToKeep() leaves a view of the end at the end", () => {
  fc.assert(fc.property(grid, grid, fc.nat(100), (before, other, padding) => {
    const now = { ...other, total: before.total };
    const scrollTop = heightOf(before) - 800 + padding;
    const top = scrollToKeep(before, { scrollTop, height: 800 }, now);
    if (top === null || scrollTop <= 0) return;
    assert.equal(top, Math.max(0, heightOf(now) - 800 + padding));
  }));
});

Deno.test("overscanFor() draws at least one line beyond the edge, and few low ones", () => {
  assert.equal(overscanFor({ total: 9, columns: 3, rowHeight: 400 }), 1);
  assert.equal(overscanFor({ total: 9, columns: 1, rowHeight: 40 }), 3);
});

Deno.test("scrollToCentre() puts an entry into the middle, unless it is well in view", () => {
  const grid = { total: 1000, columns: 1, rowHeight: 40 };
  assert.equal(scrollToCentre(grid, { scrollTop: 0, height: 440 }, 3), 0);
  assert.equal(scrollToCentre(grid, { scrollTop: 0, height: 440 }, 0), 0);
  assert.equal(scrollToCentre(grid, { scrollTop: 0, height: 440 }, 10), 200);
  assert.equal(scrollToCentre(grid, { scrollTop: 200, height: 440 }, 10), 200);
  assert.equal(scrollToCentre(grid, { scrollTop: 20_000, height: 440 }, 10), 200);
  assert.equal(scrollToCentre({ ...grid, columns: 4 }, { scrollTop: 0, height: 440 }, 401), 3_800);
});

Deno.test("pageOf() keeps a line of the former page in view, but always moves on", () => {
  assert.equal(
    pageOf({ total: 1000, columns: 4, rowHeight: 100 }, { scrollTop: 0, height: 500 }),
    16,
  );
  assert.equal(pageOf({ total: 1000, columns: 1, rowHeight: 40 }, { scrollTop: 0, height: 10 }), 1);
});

/** Grids in groups, with the place of every line counted one by one. */
const grouped = fc.record({
  counts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
  columns: fc.integer({ min: 1, max: 6 }),
  rowHeight: fc.integer({ min: 10, max: 300 }),
  heading: fc.integer({ min: 0, max: 80 }),
}).map(({ counts, ...sizes }) => {
  const groups = counts.map((_, at) => counts.slice(0, at).reduce((sum, count) => sum + count, 0));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const tops: number[] = [];
  let y = 0;
  for (const count of counts) {
    y += sizes.heading;
    for (let at = 0; at < count; at++) {
      tops.push(y + Math.floor(at / sizes.columns) * sizes.rowHeight);
    }
    y += Math.ceil(count / sizes.columns) * sizes.rowHeight;
  }
  return { grid: { total, groups, ...sizes }, tops, height: y };
});

Deno.test("groups begin lines of their own, below their headings", () => {
  fc.assert(fc.property(grouped, ({ grid, tops, height }) => {
    assert.equal(heightOf(grid), height);
    for (const [index, top] of tops.entries()) {
      assert.equal(topOf(grid, index), top);
      assert.equal(topOf(grid, entryAt(grid, top)), top);
    }
  }));
});

Deno.test("sliceFor() draws every entry of groups that is in view, from the start of a line", () => {
  fc.assert(fc.property(grouped, view, ({ grid, tops, height }, view) => {
    const slice = sliceFor(grid, view, 1);
    const scrolled = Math.min(Math.max(0, view.scrollTop), Math.max(0, height - view.height));
    for (const [index, top] of tops.entries()) {
      const inView = top < scrolled + view.height && top + grid.rowHeight > scrolled;
      if (inView) assert.ok(index >= slice.first && index < slice.last, `${index}`);
    }
    const isGroup = grid.groups.includes(slice.first);
    assert.equal(slice.top, topOf(grid, slice.first) - (isGroup ? grid.heading : 0));
  }));
});

Deno.test("the arrows go to the next line, over the headings, and back", () => {
  const grid = { total: 9, columns: 3, rowHeight: 40, heading: 20, groups: [0, 4, 5] };
  // 0 1 2 | 3 || 4 || 5 6 7 | 8
  assert.equal(besideLine(grid, 1, 1), 3);
  assert.equal(besideLine(grid, 3, 1), 4);
  assert.equal(besideLine(grid, 4, 1), 5);
  assert.equal(besideLine(grid, 7, 1), 8);
  assert.equal(besideLine(grid, 8, 1), 8);
  assert.equal(besideLine(grid, 6, -1), 4);
  assert.equal(besideLine(grid, 4, -1), 3);
  assert.equal(besideLine(grid, 0, -1), 0);
});

Deno.test("scrollToKeep() leaves a list that begins with a heading at its top", () => {
  const before = { total: 9, columns: 3, rowHeight: 100, heading: 40, groups: [0, 4] };
  const view = { scrollTop: 0, height: 200 };
  assert.equal(scrollToKeep(before, view, { ...before, columns: 4, rowHeight: 50 }), 0);
  const inside = scrollToKeep(before, { ...view, scrollTop: 90 }, { ...before, rowHeight: 50 });
  assert.equal(inside, 65);
});
