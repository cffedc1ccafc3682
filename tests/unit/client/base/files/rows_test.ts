import assert from "node:assert/strict";
import {
  addSpan,
  CHUNK,
  inSpans,
  removeSpan,
  Rows,
  sizeOfSpans,
} from "../../../../../lib/client/base/files/rows.ts";
import { fc } from "../../../../support/run/property.ts";
import { fileNamed, manyNames } from "../../support.ts";

const entries = manyNames(1000).map((name) => fileNamed(name));
const windowAt = (offset: number, length: number) => entries.slice(offset, offset + length);

Deno.test("Rows know nothing that was not loaded", () => {
  const rows = new Rows(1000).with(100, windowAt(100, 50));
  assert.equal(rows.at(99), undefined);
  assert.equal(rows.at(100)?.name, "file 00100");
  assert.equal(rows.at(149)?.name, "file 00149");
  assert.equal(rows.at(150), undefined);
  assert.equal(rows.loaded, 50);
  assert.equal(rows.indexOf("file 00120"), 120);
  assert.equal(rows.indexOf("file 00000"), -1);
});

Deno.test("Rows.with() leaves the former rows as they were", () => {
  const before = new Rows(1000).with(0, windowAt(0, 50));
  const after = before.with(500, windowAt(500, 150));
  assert.equal(before.at(500), undefined);
  assert.equal(after.at(0)?.name, "file 00000");
  assert.equal(after.at(649)?.name, "file 00649");
  assert.equal(after.loaded, 200);
});

Deno.test("Rows.missing() asks for whole chunks, none twice and none beyond the end", () => {
  const rows = new Rows(230).with(50, windowAt(50, 50));
  assert.deepEqual(rows.missing({ from: -20, to: 60 }), [{ from: 0, to: 50 }]);
  assert.deepEqual(rows.missing({ from: 60, to: 99 }), []);
  assert.deepEqual(rows.missing({ from: 20, to: 9999 }), [
    { from: 0, to: 50 },
    { from: 100, to: 250 },
  ]);
  assert.deepEqual(Rows.none.missing({ from: 0, to: 50 }), []);
});

Deno.test("Rows.entries() goes through a span in order, past what is missing", () => {
  const rows = new Rows(1000).with(200, windowAt(200, 50)).with(50, windowAt(50, 50));
  const seen = [...rows.entries({ from: 98, to: 202 })].map(([index, { name }]) => [index, name]);
  assert.deepEqual(seen, [
    [98, "file 00098"],
    [99, "file 00099"],
    [200, "file 00200"],
    [201, "file 00201"],
  ]);
  assert.equal([...rows.entries()].length, 2 * CHUNK);
});

Deno.test("spans hold exactly the indexes that were put in and not taken out", () => {
  const step = fc.record({
    add: fc.boolean(),
    from: fc.integer({ min: 0, max: 40 }),
    length: fc.integer({ min: 0, max: 15 }),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
    let spans: { from: number; to: number }[] = [];
    const model = new Set<number>();
    for (const { add, from, length } of steps) {
      const span = { from, to: from + length };
      spans = add ? addSpan(spans, span) : removeSpan(spans, span);
      for (let index = from; index < from + length; index++) {
        if (add) model.add(index);
        else model.delete(index);
      }
    }
    for (let index = 0; index < 60; index++) {
      assert.equal(inSpans(spans, index), model.has(index), `index ${index}`);
    }
    assert.equal(sizeOfSpans(spans), model.size);
  }));
});
