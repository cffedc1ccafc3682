import assert from "node:assert/strict";
import { encoderOf } from "../../../../lib/server/files/text/encode.ts";
import { lineEndingOf, markOf, parseTextFormat } from "../../../../lib/server/files/text/format.ts";
import { type ReadText, readText } from "../../../../lib/server/files/text/read_text.ts";
import { Pauses } from "../../../../lib/server/core/concurrency/pauses.ts";
import { character, fc } from "../../../support/run/property.ts";
import { samples } from "./samples.ts";

function read(bytes: Uint8Array): Promise<ReadText | null> {
  return readText(bytes, new Pauses());
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

Deno.test("what is binary is no text, in whatever it begins", async () => {
  const cases = [
    [0],
    [0x61, 0, 0x62, 0x63],
    [0xef, 0xbb, 0xbf, 0x61, 0],
    [0xff, 0xfe, 0x61, 0, 0, 0],
    [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0],
    [1, 0, 2, 0, 3, 0, 4, 0],
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d],
    [0xe9, 1, 2, 3, 4, 5, 6, 0x0e],
  ];
  for (const bytes of cases) assert.equal(await read(Uint8Array.from(bytes)), null, bytes.join());
  const interrupted = new TextEncoder().encode("plain text that has one NUL\0 in it, and goes on.");
  for (let length = 28; length <= interrupted.length; length++) {
    assert.equal(await read(interrupted.subarray(0, length)), null, `${length}`);
  }
});

Deno.test("Unicode is told by its mark or by itself, and the mark is not part of the text", async () => {
  const text = "caf\u00e9 \u65e5\u672c \u{1f600}\n";
  for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
    const bytes = encoderOf(encoding, "")(text);
    for (const hasMark of [false, true]) {
      const found = await read(hasMark ? join(markOf(encoding), bytes) : bytes);
      assert.deepEqual(found, {
        text,
        format: { encoding, hasMark },
        lineEnding: "lf",
        isExact: true,
      });
    }
  }
  assert.equal((await read(new Uint8Array()))?.format.encoding, "utf-8");
});

Deno.test("UTF-16 without a mark is told in languages without Latin letters as well", async () => {
  for (const sample of ["\u65e5\u672c\u8a9e\r\n\u6587\u5b57\r\n", "\u041f\u0440\u0438 \u0432\n"]) {
    for (const encoding of ["utf-16le", "utf-16be"]) {
      const found = await read(encoderOf(encoding, "")(sample));
      assert.deepEqual([found?.format.encoding, found?.text], [encoding, sample]);
    }
  }
});

for (const [encoding, sample] of samples) {
  Deno.test(`${encoding} is told from what is written in it: ${sample.slice(0, 12)}`, async () => {
    const bytes = encoderOf(encoding, "")(sample);
    const found = await read(bytes);
    assert.equal(found?.text, sample);
    assert.equal(found.isExact, true);
    const { format } = found;
    assert.deepEqual(encoderOf(parseTextFormat(format.encoding).encoding, "")(found.text), bytes);
  });
}

Deno.test("a telling line far down in a long text is found", async () => {
  const [encoding = "", sample = ""] = samples.find(([name]) => name === "windows-1251") ?? [];
  const text = `${"plain words\n".repeat(20_000)}${sample}\n`;
  const found = await read(encoderOf(encoding, "")(text));
  assert.deepEqual([found?.format.encoding, found?.text === text], [encoding, true]);
});

Deno.test("text that would not come back as it was is not exact", async () => {
  const cases = [
    [0xef, 0xbb, 0xbf, 0x61, 0xc3],
    [0xff, 0xfe, 0x61, 0, 0, 0xd8, 0x62, 0],
    [0xff, 0xfe, 0x61, 0, 0x62],
    // One of the codes for a character that has a more usual one.
    [
      ...encoderOf("shift_jis", "")("\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059\u3002"),
      0xed,
      0x40,
    ],
  ];
  for (const bytes of cases) assert.equal((await read(Uint8Array.from(bytes)))?.isExact, false);
});

Deno.test("any bytes are read without a fault, and exact text comes back as it was", async () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.uint8Array({ min: 0x20 }),
    fc.string({ unit: character }).map((text) => new TextEncoder().encode(text)),
  );
  await fc.assert(fc.asyncProperty(bytes, async (bytes) => {
    const found = await read(bytes);
    if (!found?.isExact) return;
    const { encoding, hasMark } = found.format;
    const mark = hasMark ? markOf(encoding) : new Uint8Array();
    assert.deepEqual(join(mark, encoderOf(encoding, "")(found.text)), Uint8Array.from(bytes));
  }));
});

Deno.test("line endings are told, and mixed ones as well", () => {
  const cases = { "": "lf", a: "lf", "a\nb\n": "lf", "a\r\nb": "crlf", "a\rb\r": "cr" };
  for (const [text, ending] of Object.entries(cases)) assert.equal(lineEndingOf(text), ending);
  for (const text of ["a\nb\r\n", "a\r\r\n", "\n\r", "a\r\nb\nc"]) {
    assert.equal(lineEndingOf(text), "mixed", JSON.stringify(text));
  }
});
