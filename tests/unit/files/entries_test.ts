import assert from "node:assert/strict";
import fc from "fast-check";
import { isoText } from "../../../lib/server/files/listing/entries.ts";

Deno.test("isoText() writes every time as toISOString() does", () => {
  const days = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(fc.property(fc.date({ noInvalidDate: true }), days, (date, ms) => {
    assert.equal(isoText(date.getTime()), date.toISOString());
    assert.equal(isoText(ms), new Date(ms).toISOString());
  }));
  for (const time of [0, -1, 86_399_999, 86_400_000, 253_402_300_800_000, -62_198_755_200_000]) {
    assert.equal(isoText(time), new Date(time).toISOString());
  }
});
