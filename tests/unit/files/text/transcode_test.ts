import assert from "node:assert/strict";
import { encoderOf } from "../../../../lib/server/files/text/encode.ts";
import { markOf, parseTextFormat } from "../../../../lib/server/files/text/format.ts";
import { transcoder } from "../../../../lib/server/files/content/save_text.ts";
import { fc } from "../../../support/run/property.ts";
import { assertDeniedLater } from "../../core/access/visitors.ts";

async function transcode(
  format: string,
  pieces: Uint8Array[],
  expectedLength?: number,
): Promise<Uint8Array> {
  const input = ReadableStream.from(pieces.map((piece) => new Uint8Array(piece)));
  const output = input.pipeThrough(
    transcoder(parseTextFormat(format), "Cannot save", expectedLength),
  );
  return await new Response(output).bytes();
}

const utf8 = (text: string) => new TextEncoder().encode(text);

Deno.test("what is not UTF-8, and what the encoding does not have, breaks the stream", async () => {
  await assertDeniedLater(transcode("windows-1252", [Uint8Array.of(0x61, 0xe9)]), "invalid_body");
  await assertDeniedLater(transcode("utf-8", [Uint8Array.of(0xc3)]), "invalid_body");
  await assertDeniedLater(transcode("windows-1252", [utf8("a\u010d")]), "invalid_body");
});

Deno.test("another number of bytes than announced breaks the stream", async () => {
  await assertDeniedLater(transcode("utf-16le", [utf8("abc")], 4), "invalid_body");
  assert.equal((await transcode("utf-16le", [utf8("abc")], 3)).length, 6);
});

Deno.test("the format alone decides about the mark", async () => {
  for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
    for (const text of ["", "\uFEFF", "a", "\uFEFFa"]) {
      const plain = encoderOf(encoding, "")(text.replace("\uFEFF", ""));
      assert.deepEqual(await transcode(encoding, [utf8(text)]), plain);
      const marked = Uint8Array.from([...markOf(encoding), ...plain]);
      assert.deepEqual(await transcode(`${encoding}-bom`, [utf8(text)]), marked);
    }
  }
});

Deno.test("text comes out the same wherever its bytes are cut", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\u65e5", "\u00e9", "\u{20bb7}") });
  const cuts = fc.array(fc.nat(40));
  await fc.assert(fc.asyncProperty(text, cuts, async (text, cuts) => {
    const bytes = utf8(text);
    const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b)];
    const pieces = places.map((start, index) => bytes.subarray(start, places[index + 1]));
    assert.deepEqual(await transcode("gb18030", pieces), encoderOf("gb18030", "")(text));
  }));
});
