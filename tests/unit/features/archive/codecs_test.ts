import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { Pauses } from "../../../../lib/server/core/concurrency/pauses.ts";
import { openCodec } from "../../../../lib/server/features/archive/codecs/open_codec.ts";
import { OutputBuffer } from "../../../../lib/server/features/archive/output_buffer.ts";

const chunkSize = 256 * 1024;

/** Chunks of random bytes and of text in turn: the output fills many buffers of a library. */
const chunks = Array.from({ length: 12 }, (_, index) => {
  const bytes = new Uint8Array(chunkSize - index * 1_000);
  const random = index % 3 === 2 ? 1_000 : bytes.length;
  for (let at = 0; at < random; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(at + 65_536, random)));
  }
  return bytes;
});

const decoders = { gzip: gunzipSync, zstd: zstdDecompressSync, brotli: brotliDecompressSync };

for (const name of ["gzip", "zstd", "brotli"] as const) {
  Deno.test(`${name} keeps all bytes of a stream, whose buffers it reuses or frees`, async () => {
    const packed: Uint8Array[] = [];
    const out = new OutputBuffer(new Pauses(), (chunk) => {
      packed.push(chunk.slice());
      return Promise.resolve();
    });
    const codec = await openCodec(name, { level: 1, helpers: 0 });
    for (const chunk of chunks) await codec.write(chunk.slice(), out);
    await codec.end(out);
    await out.flush();
    codec.close?.();
    assert.ok(decoders[name](Buffer.concat(packed)).equals(Buffer.concat(chunks)));
  });
}
