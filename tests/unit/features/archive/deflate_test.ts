import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import {
  deflatePart,
  lastBlock,
  looksRandom,
  storedBlocks,
} from "../../../../lib/server/features/archive/deflate.ts";
import { fc } from "../../../support/run/property.ts";

const size = 256 * 1024;

function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
}

Deno.test("deflated and stored parts together are one stream", () => {
  const part = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.nat(500), fc.boolean());
  fc.assert(fc.property(fc.array(part), fc.integer({ min: 1, max: 9 }), (parts, level) => {
    const whole: Uint8Array[] = [];
    const packed: Uint8Array[] = [];
    for (const [bytes, times, isStored] of parts) {
      const repeated = Buffer.concat(Array<Uint8Array>(times).fill(bytes));
      whole.push(repeated);
      packed.push(...isStored ? storedBlocks(repeated) : [deflatePart(repeated, level)]);
    }
    assert.deepEqual(
      inflateRawSync(Buffer.concat([...packed, lastBlock])),
      Buffer.concat(whole),
    );
  }));
});

Deno.test("deflatePart() adds less than a thousandth to random bytes at any level", () => {
  const bytes = randomBytes(size);
  for (let level = 1; level <= 9; level++) {
    const packed = deflatePart(bytes, level);
    assert.ok(packed.length < size * 1.001, `${level}: ${packed.length}`);
    assert.deepEqual(inflateRawSync(Buffer.concat([packed, lastBlock])), Buffer.from(bytes));
  }
});

Deno.test("deflatePart() saves the zeros between random bytes at the fastest level", () => {
  const pieces = Array.from({ length: 27 }, () => [new Uint8Array(1_536), randomBytes(8_192)]);
  const bytes = Buffer.concat(pieces.flat());
  const packed = deflatePart(bytes, 1);
  assert.ok(packed.length < 27 * 8_192 * 1.02, String(packed.length));
  assert.ok(inflateRawSync(Buffer.concat([packed, lastBlock])).equals(bytes));
});

Deno.test("looksRandom() tells random bytes from those that can be made smaller", () => {
  for (let run = 0; run < 20; run++) assert.ok(looksRandom(randomBytes(size)));
  const shrinks: Record<string, Uint8Array> = {
    "zeros": new Uint8Array(size),
    "all values in turn": new Uint8Array(size).map((_, at) => at),
    "1,000 random bytes again and again": repeated(randomBytes(1_000)),
    "base64": new TextEncoder().encode(Buffer.from(randomBytes(size)).toString("base64")),
    "half random, half zeros": Buffer.concat([randomBytes(size / 2), new Uint8Array(size / 2)]),
    "an eighth of text": Buffer.concat([randomBytes(size), new Uint8Array(size / 8).fill(97)]),
  };
  for (const [name, bytes] of Object.entries(shrinks)) assert.ok(!looksRandom(bytes), name);
});

function repeated(bytes: Uint8Array): Uint8Array {
  return Buffer.concat(Array<Uint8Array>(Math.ceil(size / bytes.length)).fill(bytes));
}
