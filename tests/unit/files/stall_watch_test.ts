import assert from "node:assert/strict";
import { StallWatch } from "../../../lib/server/files/upload/stall_watch.ts";

/** Waits until the watch ends what it watches. */
function ended({ signal }: StallWatch): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

Deno.test("what makes no progress is ended", async () => {
  using watch = new StallWatch(() => 7, 5);
  await ended(watch);
  assert.ok(watch.signal.reason instanceof Error);
});

Deno.test("what goes on is left alone until it stalls", async () => {
  let looks = 0;
  using watch = new StallWatch(() => Math.min(++looks, 10), 2);
  await ended(watch);
  assert.equal(looks, 11);
});

Deno.test("what somebody else ends, ends at once, for the same reason", () => {
  const outer = new AbortController();
  using watch = new StallWatch(() => 0, 1_000, outer.signal);
  outer.abort("gone");
  assert.equal(watch.signal.reason, "gone");
  using late = new StallWatch(() => 0, 1_000, outer.signal);
  assert.equal(late.signal.reason, "gone");
});
