import assert from "node:assert/strict";
import { LineCutter } from "../../../../lib/server/features/commands/line_cutter.ts";
import { character, fc, runs } from "../../../support/run/property.ts";

function cut(...pieces: Uint8Array[]): string[] {
  const cutter = new LineCutter();
  return [...pieces.flatMap((piece) => cutter.push(piece)), ...cutter.end()];
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("LineCutter gives the same lines however the bytes are cut", () => {
  const output = fc.array(
    fc.oneof(fc.string({ unit: character }).map(bytesOf), fc.uint8Array({ maxLength: 9 })),
  );
  fc.assert(
    fc.property(output, fc.integer({ min: 1, max: 7 }), (parts, size) => {
      const whole = new Uint8Array(parts.flatMap((part) => [...part, 10]));
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size));
      const expected = new TextDecoder().decode(whole).split("\n").slice(0, -1)
        .map((line) => line.replace(/\r$/, ""));
      assert.deepEqual(cut(...pieces), expected);
    }),
    { numRuns: runs(50) },
  );
});

Deno.test("LineCutter hands a line on as soon as it ends, and the last one without an end", () => {
  const cutter = new LineCutter();
  assert.deepEqual(cutter.push(bytesOf("a\r\nb")), ["a"]);
  assert.deepEqual(cutter.push(bytesOf("c\n\nd")), ["bc", ""]);
  assert.deepEqual([cutter.end(), cutter.end()], [["d"], []]);
});

Deno.test("LineCutter replaces what is not UTF-8, also at the very end", () => {
  assert.deepEqual(cut(new Uint8Array([97, 0xff, 10, 0xe2, 0x82])), ["a\ufffd", "\ufffd"]);
});

Deno.test("LineCutter cuts endless lines, never within a character", () => {
  const text = `a${"😀".repeat(10_000)}`;
  for (const end of ["", "\n"]) {
    const lines = cut(bytesOf(text.slice(0, 9)), bytesOf(text.slice(9) + end));
    assert.equal(lines.join(""), text);
    assert(lines.every((line) => line.length <= 4_096 && line.isWellFormed()));
  }
});
