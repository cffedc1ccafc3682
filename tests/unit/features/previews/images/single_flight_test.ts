import assert from "node:assert/strict";
import { SingleFlight } from "../../../../../lib/server/core/concurrency/single_flight.ts";

Deno.test("those who want the same at the same time share one piece of work", async () => {
  const shared = new SingleFlight<number>();
  let count = 0;
  const work = () => new Promise<number>((resolve) => setTimeout(() => resolve(++count), 5));
  assert.deepEqual(
    await Promise.all([shared.join("a", work), shared.join("a", work), shared.join("b", work)]),
    [1, 1, 2],
  );
  assert.equal(await shared.join("a", work), 3, "later, the work is done again");
});

Deno.test("the work is abandoned when the last who waits has left, not before", async () => {
  const shared = new SingleFlight<string>();
  const [first, second] = [new AbortController(), new AbortController()];
  let abandoned: AbortSignal | undefined;
  const work = (signal: AbortSignal) => {
    abandoned = signal;
    return new Promise<string>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
  };
  const waiting = [first, second].map(({ signal }) => shared.join("a", work, signal));
  first.abort(new Error("first left"));
  await assert.rejects(waiting[0] ?? Promise.resolve(), /first left/);
  assert.equal(abandoned?.aborted, false);
  second.abort(new Error("second left"));
  await assert.rejects(waiting[1] ?? Promise.resolve(), /second left/);
  assert.equal(abandoned?.aborted, true);
});

Deno.test("who has left before asking starts nothing", async () => {
  const shared = new SingleFlight<void>();
  let hasStarted = false;
  const signal = AbortSignal.abort(new Error("gone"));
  const start = () => Promise.resolve(void (hasStarted = true));
  await assert.rejects(shared.join("a", start, signal), /gone/);
  assert.equal(hasStarted, false);
});

Deno.test("a failure reaches all who wait", async () => {
  const shared = new SingleFlight<void>();
  const fail = () => Promise.reject(new Error("broken"));
  const results = await Promise.allSettled([shared.join("a", fail), shared.join("a", fail)]);
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected"]);
});
