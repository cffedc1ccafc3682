import assert from "node:assert/strict";
import { IdleTimeout } from "../../../lib/server/files/upload/idle_timeout.ts";

/** Waits until the watch ends what it watches. */
function ended({ signal }: IdleTimeout): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

Deno.test("what makes no progress is ended", async () => {
  using watch = new IdleTimeout(() => 7, 5);
  await ended(watch);
  assert.ok(watch.signal.reason instanceof Error);
});

Deno.test("what goes on is left alone until it stalls", async () => {
  let looks = 0;
  using watch = new IdleTimeout(() => Math.min(++looks, 10), 2);
  await ended(watch);
  assert.equal(looks, 11);
});

Deno.test("what somebody else ends, ends at once, for the same reason", () => {
  const outer = new AbortController();
  using watch = new IdleTimeout(() => 0, 1_000, outer.signal);
  outer.abort("gone");
  assert.equal(watch.signal.reason, "gone");
  using late = new IdleTimeout(() => 0, 1_000, outer.signal);
  assert.equal(late.signal.reason, "gone");
});
