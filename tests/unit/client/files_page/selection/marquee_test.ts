import assert from "node:assert/strict";
import fc from "fast-check";
import { edgeSpeed, spansIn } from "../../../../../lib/client/files_page/selection/marquee.ts";
import { sizeOfSpans } from "../../../../../lib/client/base/files/rows.ts";

const list = { total: 100_000, columns: 1, rowHeight: 40 };
const mosaic = { total: 10, columns: 4, rowHeight: 100 };
/** Four tiles of 100 with gaps of 10. */
const tiles = { line: 430, gap: 10 };

Deno.test("spansIn() finds nothing beside, above and below the entries", () => {
  const box = { start: 0, end: 430, top: 0, bottom: 900 };
  assert.deepEqual(spansIn(mosaic, tiles, { ...box, start: 500, end: 600 }), []);
  assert.deepEqual(spansIn(mosaic, tiles, { ...box, top: -300, bottom: -20 }), []);
  assert.deepEqual(spansIn(mosaic, tiles, { ...box, top: 320, bottom: 500 }), []);
  assert.deepEqual(spansIn(mosaic, tiles, { start: 101, end: 108, top: 0, bottom: 90 }), []);
});

Deno.test("spansIn() touches the rows of a list from the first to the last", () => {
  const box = { start: 10, end: 20, top: 85, bottom: 165 };
  assert.deepEqual(spansIn(list, { line: 800, gap: 0 }, box), [{ from: 2, to: 5 }]);
});

Deno.test("spansIn() touches a block of tiles, line by line", () => {
  const box = { start: 120, end: 250, top: 50, bottom: 150 };
  assert.deepEqual(spansIn(mosaic, tiles, box), [{ from: 1, to: 3 }, { from: 5, to: 7 }]);
});

Deno.test("spansIn() makes one span of whole lines, and ends with the last entry", () => {
  const all = { start: -10, end: 1000, top: -10, bottom: 1000 };
  assert.deepEqual(spansIn(mosaic, tiles, all), [{ from: 0, to: 10 }]);
  assert.deepEqual(spansIn(mosaic, tiles, { ...all, start: 330 }), [
    { from: 3, to: 4 },
    { from: 7, to: 8 },
  ]);
});

Deno.test("spansIn() touches exactly the tiles that overlap the rectangle", () => {
  const side = fc.integer({ min: -50, max: 1500 });
  const shape = fc.record({ columns: fc.integer({ min: 1, max: 7 }), total: fc.nat(60) });
  fc.assert(fc.property(shape, side, side, side, side, (shape, x, y, width, height) => {
    const grid = { ...shape, rowHeight: 110 };
    const box = { start: x, end: x + Math.abs(width), top: y, bottom: y + Math.abs(height) };
    const line = grid.columns * 100 + (grid.columns - 1) * 10;
    const touched = Array.from({ length: grid.total }, (_, index) => index).filter((index) => {
      const left = index % grid.columns * 110;
      const top = Math.floor(index / grid.columns) * 110;
      const across = box.start < left + 100 && box.end >= left;
      return across && box.top < top + 100 && box.bottom >= top;
    });
    const spans = spansIn(grid, { line, gap: 10 }, box);
    assert.equal(sizeOfSpans(spans), touched.length);
    for (const index of touched) {
      assert.ok(spans.some(({ from, to }) => from <= index && index < to));
    }
  }));
});

Deno.test("edgeSpeed() scrolls towards the edge that the pointer is near, faster further out", () => {
  assert.equal(edgeSpeed(400, 100, 700), 0);
  assert.ok(edgeSpeed(105, 100, 700) < 0);
  assert.ok(edgeSpeed(690, 100, 700) > 0);
  assert.ok(edgeSpeed(760, 100, 700) > edgeSpeed(690, 100, 700));
  assert.equal(edgeSpeed(99_999, 100, 700), edgeSpeed(9_999, 100, 700));
});
