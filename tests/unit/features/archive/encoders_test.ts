import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { paxRecord } from "../../../../lib/server/features/archive/tar/tar_writer.ts";
import { combineChecksums } from "../../../../lib/server/features/archive/zip/planned_zip.ts";
import { dosTime } from "../../../../lib/server/features/archive/zip/records.ts";
import { fc } from "../../../support/run/property.ts";

Deno.test("combineChecksums() gives the sum of two texts in a row", () => {
  const text = fc.uint8Array({ maxLength: 300 });
  fc.assert(fc.property(text, text, (first, second) => {
    const whole = new Uint8Array([...first, ...second]);
    assert.equal(combineChecksums(crc32(first), crc32(second), second.length), crc32(whole));
  }));
});

Deno.test("combineChecksums() gives the same however a text is cut in three", () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), fc.nat(0xffff_ffff), fc.nat(), fc.nat(), (a, b, m, n) => {
      const third = crc32("third");
      const left = combineChecksums(combineChecksums(a, b, m), third, n);
      assert.equal(left, combineChecksums(a, combineChecksums(b, third, n), m + n));
    }),
  );
});

Deno.test("paxRecord() begins with its own length in bytes", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 2_000 }), (value) => {
    const record = paxRecord("path", value);
    const [, length] = /^(\d+) path=/.exec(record) ?? [];
    assert.equal(Number(length), new TextEncoder().encode(record).length);
  }));
});

Deno.test("paxRecord() counts right where its length gets a digit more", () => {
  for (let size = 80; size < 110; size++) {
    const record = paxRecord("path", "x".repeat(size));
    assert.equal(record.length, parseInt(record), String(size));
  }
});

Deno.test("dosTime() keeps any moment between 1980 and 2107, to two seconds", () => {
  const noInvalidDate = true;
  const [min, max] = [new Date("1980-01-01T00:00:00Z"), new Date("2107-12-31T23:59:59Z")];
  fc.assert(fc.property(fc.date({ min, max, noInvalidDate }), (moment) => {
    const { date, time } = dosTime(moment.getTime());
    const back = Date.UTC(
      ...[(date >> 9) + 1980, (date >> 5 & 15) - 1, date & 31] as const,
      ...[time >> 11, time >> 5 & 63, (time & 31) * 2] as const,
    );
    assert.equal(back, Math.floor(moment.getTime() / 2_000) * 2_000);
  }));
});

Deno.test("dosTime() takes the nearest moment it knows for earlier and later ones", () => {
  for (const early of [-1e15, 0, Date.UTC(1979, 11, 31), NaN]) {
    assert.deepEqual(dosTime(early), { date: 0x21, time: 0 });
  }
  assert.deepEqual(dosTime(Date.UTC(2108, 0)), { date: 0xff9f, time: 0xbf7d });
});
