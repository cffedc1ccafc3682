import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { RunningDigests } from "../../../lib/server/files/upload/chunked/running_digests.ts";
import type { UploadPart } from "../../../lib/server/files/upload/upload_parts.ts";

const partOf = (name: string, userId = 1, tokenId = "phone") =>
  ({ name, userId, begun: { tokenId } }) as UploadPart;
const chunk = { name: "1", start: 0, length: 5, at: 1 };

/** Receives the chunk. @returns whether a digest was computed */
function receive(digests: RunningDigests, part: UploadPart): boolean {
  const hash = digests.follow(part, chunk);
  if (hash) digests.add(part, chunk, hash.update("12345"));
  return hash !== null;
}

Deno.test("a digest is computed while nothing is known of a client", () => {
  const digests = new RunningDigests();
  const part = partOf("a");
  assert.equal(receive(digests, part), true);
  const { hash, chunks } = digests.of(part, [chunk]);
  assert.deepEqual([chunks, hash.digest("hex")], [
    1,
    createHash("sha1").update("12345").digest("hex"),
  ]);
  // The chunk came again since.
  assert.equal(digests.of(part, [{ ...chunk, at: 2 }]).chunks, 0);
});

Deno.test("a client that asked for none gets none, until it asks for one", () => {
  const digests = new RunningDigests();
  digests.learn(partOf("a"), false);
  assert.equal(receive(digests, partOf("b")), false);
  const { hash, chunks } = digests.of(partOf("b"), [chunk]);
  assert.deepEqual([chunks, hash.digest("hex")], [0, createHash("sha1").digest("hex")]);
  for (const other of [partOf("c", 2), partOf("d", 1, "desktop")]) {
    assert.equal(receive(digests, other), true);
  }
  digests.learn(partOf("b"), true);
  assert.equal(receive(digests, partOf("e")), true);
});
