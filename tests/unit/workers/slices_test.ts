import assert from "node:assert/strict";
import { type PatientSteps, runInSlices } from "../../../lib/server/rpc/slices.ts";

const never = new AbortController().signal;

/** Works until the turn has changed four times; ten seconds alone prove that it never does. */
function* takeTurns(log: string[], name: string): PatientSteps<string> {
  for (const end = performance.now() + 10_000; log.length < 4 && performance.now() < end;) {
    if (log.at(-1) !== name) log.push(name);
    yield;
  }
  return name;
}

Deno.test("work under way side by side takes turns", async () => {
  const log: string[] = [];
  const done = await Promise.all([
    runInSlices(takeTurns(log, "a"), never),
    runInSlices(takeTurns(log, "b"), never),
  ]);
  assert.deepEqual(done, ["a", "b"]);
  assert.deepEqual(log, ["a", "b", "a", "b"]);
});

Deno.test("work that is cancelled stops, and what it held is let go", async () => {
  const controller = new AbortController();
  let isHeld = false;
  function* hold(): PatientSteps<void> {
    isHeld = true;
    try {
      while (true) yield;
    } finally {
      isHeld = false;
    }
  }
  const work = runInSlices(hold(), controller.signal);
  setTimeout(() => controller.abort(), 15);
  await assert.rejects(work, { name: "AbortError" });
  assert.equal(isHeld, false);
});

Deno.test("work waits for what it yields, and fails with it", async () => {
  const seen: number[] = [];
  function* wait(): PatientSteps<number> {
    yield Promise.resolve().then(() => void seen.push(1));
    seen.push(2);
    yield Promise.reject(new Error("no"));
    return 3;
  }
  await assert.rejects(runInSlices(wait(), never), { message: "no" });
  assert.deepEqual(seen, [1, 2]);
});
