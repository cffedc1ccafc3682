import assert from "node:assert/strict";
import { Rate } from "../../../../lib/server/core/concurrency/rate.ts";

/** Runs a test with a clock of its own, in milliseconds. */
function withClock(test: (pass: (ms: number) => void) => void): void {
  let now = 1_000;
  Object.defineProperty(performance, "now", { value: () => now, configurable: true });
  try {
    test((ms) => void (now += ms));
  } finally {
    Reflect.deleteProperty(performance, "now");
  }
}

Deno.test("take() admits so much at once and a second, and counts what it refuses", () => {
  withClock((pass) => {
    const rate = new Rate(2, 3);
    assert.deepEqual([1, 1, 1, 1].map((count) => rate.take(count)), [true, true, true, false]);
    pass(500);
    assert.equal(rate.take(1), false, "the refused one was counted");
    pass(1_000);
    assert.equal(rate.take(1), true);
    pass(60_000);
    assert.deepEqual([3, 1].map((count) => rate.take(count)), [true, false]);
  });
});

Deno.test("wait() tells when one more may come, after however much was spent", () => {
  withClock((pass) => {
    const rate = new Rate(10, 100);
    assert.equal(rate.wait(), 0);
    rate.spend(250);
    assert.equal(rate.wait(), 15.1);
    assert.equal(rate.wait(), 15.1, "to ask costs nothing");
    pass(15_000);
    assert.ok(Math.abs(rate.wait() - 0.1) < 1e-9);
    pass(100);
    assert.equal(rate.wait(), 0);
  });
});
