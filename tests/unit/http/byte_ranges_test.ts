import assert from "node:assert/strict";
import fc from "fast-check";
import {
  contentRange,
  lengthOf,
  readRange,
} from "../../../lib/server/http/response/byte_ranges.ts";

Deno.test("readRange() ignores what is not a range of bytes", () => {
  const headers = [
    null,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "bytes=5-2",
    "bytes=0-1,x",
    "items=0-1",
    "bytes=1-2-3",
    "bytes=-1-2",
    "bytes=0x0-1",
  ];
  for (const header of headers) assert.equal(readRange(header, 100), "whole", `${header}`);
});

Deno.test("readRange() says none when all lies beyond the end", () => {
  for (const header of ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=200-,300-301"]) {
    assert.equal(readRange(header, 100), "none", header);
  }
  assert.equal(readRange("bytes=0-", 0), "none");
  assert.equal(readRange("bytes=-5", 0), "none");
  assert.equal(readRange("bytes=99999999999999999999999-", 100), "none");
});

Deno.test("readRange() reads first and last, open ends and suffixes", () => {
  const cases: [string, number, number][] = [
    ["bytes=0-0", 0, 0],
    ["bytes=10-19", 10, 19],
    ["bytes=90-", 90, 99],
    ["bytes=90-500", 90, 99],
    ["bytes=-1", 99, 99],
    ["bytes=-500", 0, 99],
    ["Bytes=0-4", 0, 4],
    ["bytes= 5-6 ", 5, 6],
  ];
  for (const [header, start, end] of cases) {
    assert.deepEqual(readRange(header, 100), [{ start, end }], header);
  }
});

Deno.test("readRange() keeps the order of several and leaves out those beyond the end", () => {
  assert.deepEqual(readRange("bytes=50-59, 0-9,,400-", 100), [
    { start: 50, end: 59 },
    { start: 0, end: 9 },
  ]);
});

Deno.test("readRange() ignores ranges that would send a file many times over", () => {
  assert.equal(readRange(`bytes=${Array(1000).fill("0-").join(",")}`, 100), "whole");
  assert.equal(readRange("bytes=0-,0-", 100), "whole");
  assert.equal(readRange(`bytes=${Array(65).fill("1-1").join(",")}`, 1000), "whole");
});

Deno.test("readRange() never leaves the file, whatever it is asked", () => {
  const spec = fc.tuple(fc.option(fc.nat(300)), fc.option(fc.nat(300)))
    .map(([first, last]) => `${first ?? ""}-${last ?? ""}`);
  fc.assert(fc.property(fc.array(spec, { maxLength: 5 }), fc.nat(200), (specs, size) => {
    const ranges = readRange(`bytes=${specs.join(",")}`, size);
    if (typeof ranges === "string") return;
    let total = 0;
    for (const range of ranges) {
      assert.ok(0 <= range.start && range.start <= range.end && range.end < size);
      total += lengthOf(range);
    }
    assert.ok(total <= size);
  }));
});

Deno.test("contentRange() names the first byte, the last and the size", () => {
  assert.equal(contentRange({ start: 5, end: 9 }, 20), "bytes 5-9/20");
});
