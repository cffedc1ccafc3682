import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import { Pauses } from "../../../../lib/server/core/concurrency/pauses.ts";
import { Deflater } from "../../../../lib/server/features/archive/deflater.ts";
import { OutputBuffer } from "../../../../lib/server/features/archive/output_buffer.ts";

const partSize = 64 * 1024;

/** Enough for a helper to be started. */
const count = 150;

/** Text, and random bytes in between; each part is different. */
function partOf(index: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(partSize);
  if (index % 9 === 8) return crypto.getRandomValues(bytes);
  for (let at = 0; at < partSize; at++) bytes[at] = 97 + (at * index + (at >> 3)) % 23;
  return bytes;
}

async function deflate(parts: Uint8Array[], level: number, helpers: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const out = new OutputBuffer(new Pauses(), (chunk) => {
    chunks.push(chunk.slice());
    return Promise.resolve();
  });
  const deflater = new Deflater({ level, helpers });
  for (const part of parts) await deflater.write(part.slice(), out);
  await deflater.end(out);
  await out.flush();
  return Buffer.concat(chunks);
}

Deno.test({
  name: "a stream is the same, and complete, however many threads deflate it",
  // The helpers end by themselves when they are idle.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const parts = Array.from({ length: count }, (_, index) => partOf(index));
    const alone = await deflate(parts, 1, 0);
    assert.ok(inflateRawSync(alone).equals(Buffer.concat(parts)));
    const together = await Promise.all([1, 1, 3].map((helpers) => deflate(parts, 1, helpers)));
    for (const other of together) assert.ok(other.equals(alone));
  },
});
