import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { compressFrameSync } from "lz4-napi";
import { Compressor } from "snappy";
import { XzCompressor } from "@napi-rs/lzma";
import type { Bytes } from "../../../../lib/server/features/archive/extract/archived_entry.ts";
import { loadDecoder } from "../../../../lib/server/features/archive/extract/decoders.ts";
import { namesOf } from "../../../../lib/server/features/archive/extract/entry_path.ts";
import { XxHash32 } from "../../../../lib/server/features/archive/extract/lz4_frames.ts";
import type { CodecName } from "../../../../lib/server/features/archive/format.ts";
import { runArchiver } from "../../../support/disks/archivers.ts";
import { fc } from "../../../support/run/property.ts";

/** Text that shrinks, and a part that does not. */
const text = Buffer.concat([
  Buffer.from(Array.from({ length: 60_000 }, (_, at) => `${at * 7919 % 10_007} `).join("")),
  crypto.getRandomValues(new Uint8Array(60_000)),
  Buffer.alloc(1_500_000),
]);

async function bzip2(): Promise<Uint8Array> {
  return await runArchiver("bzip2", ["-c"], { input: new Blob([text]).stream() });
}

async function finished(
  compressor: { update(bytes: Uint8Array): Uint8Array; finish(): Promise<Uint8Array> },
): Promise<Uint8Array> {
  const first = Buffer.from(compressor.update(text));
  return Buffer.concat([first, await compressor.finish()]);
}

/** Streams of each codec, and whether several in a row are one. */
const samples: [CodecName, () => Uint8Array | Promise<Uint8Array>, boolean][] = [
  ["gzip", () => gzipSync(text), true],
  ["zstd", () => zstdCompressSync(text), true],
  ["brotli", () => brotliCompressSync(text), false],
  ["lz4", () => compressFrameSync(text, { contentChecksum: true }), true],
  ["snappy", () => finished(new Compressor()), true],
  ["xz", () => finished(new XzCompressor({ preset: 1 })), true],
  ["bzip2", bzip2, true],
];

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) {
    yield new Uint8Array(bytes.subarray(at, at + size));
  }
}

async function decoded(codec: CodecName, bytes: Uint8Array, size = 64 * 1024): Promise<Buffer> {
  const decode = await loadDecoder(codec);
  return Buffer.concat(await Array.fromAsync(decode(chunksOf(bytes, size))));
}

for (const [codec, make, isJoined] of samples) {
  Deno.test(`${codec} comes out as it went in, however it is cut into chunks`, async () => {
    const packed = await make();
    for (const size of [1, 7, 4096, packed.length].filter((each) => packed.length / each < 3e5)) {
      assert.ok((await decoded(codec, packed, size)).equals(text), `chunks of ${size}`);
    }
    if (!isJoined) return;
    const twice = Buffer.concat([packed, packed]);
    assert.ok((await decoded(codec, twice)).equals(Buffer.concat([text, text])), "two in a row");
  });

  Deno.test(`${codec} that is cut off or damaged never comes out as a whole`, async () => {
    const packed = await make();
    const middle = packed.length >> 1;
    for (const cut of [1, 5, middle, packed.length - 20]) {
      const out = await decoded(codec, packed.subarray(0, cut)).catch(() => null);
      assert.ok(!out?.equals(text), `cut at ${cut}`);
    }
    const flipped = Buffer.from(packed);
    flipped[middle] = (flipped[middle] ?? 0) ^ 0x10;
    const out = await decoded(codec, flipped).catch(() => null);
    assert.ok(!out?.equals(text));
  });
}

Deno.test("decoders of any bytes end, and fail in no other way than by an error", async () => {
  const heads: [CodecName, string][] = [
    ["zstd", "28b52ffd"],
    ["lz4", "04224d18"],
    ["xz", "fd377a585a000004e6d6b446"],
    ["bzip2", "425a6839314159265359"],
    ["snappy", "ff060000734e61507059"],
    ["gzip", "1f8b08"],
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...heads),
      fc.uint8Array({ maxLength: 400 }),
      async ([codec, head], rest) => {
        const bytes = Buffer.concat([Buffer.from(head, "hex"), rest]);
        await decoded(codec, bytes).catch((error) => assert.ok(error instanceof Error));
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("XxHash32 gives the sums of its reference, in any chunks", () => {
  const sumOf = (...parts: string[]) => {
    const hash = new XxHash32();
    for (const part of parts) hash.update(Buffer.from(part));
    return hash.digest();
  };
  assert.equal(sumOf(), 0x02cc5d05);
  assert.equal(sumOf("a"), 0x550d7456);
  assert.equal(sumOf("abc"), 0x32d153ff);
  const long = "Nobody inspects the spammish repetition";
  assert.equal(sumOf(long), 0xe2293b2f);
  for (let at = 0; at <= long.length; at++) {
    assert.equal(sumOf(long.slice(0, at), long.slice(at)), 0xe2293b2f, String(at));
  }
});

Deno.test("namesOf() gives names that stay where they are put", () => {
  fc.assert(fc.property(
    fc.array(fc.constantFrom("a", "..", ".", "", "C:", "\\", "..\\", "/", "ä", "a.b"), {
      maxLength: 8,
    }),
    (parts) => {
      try {
        for (const name of namesOf(parts.join("/"))) {
          assert.ok(!name.includes("/") && !["", ".", ".."].includes(name), name);
        }
      } catch (error) {
        assert.ok(error instanceof Error && "code" in error && error.code === "unsafe_archive");
      }
    },
  ));
});
