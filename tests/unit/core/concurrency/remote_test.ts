import assert from "node:assert/strict";
import { remote } from "../../../../lib/server/core/concurrency/remote.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";
import type { OddWork } from "./odd_worker.ts";

function setUp() {
  const notes: string[] = [];
  const worker = remote<OddWork>({
    script: new URL("./odd_worker.ts", import.meta.url),
    name: "odd",
    note: (sentence) => void notes.push(sentence),
  });
  return { worker, notes, [Symbol.dispose]: () => worker.close() };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("calls run side by side and each gets its own answer", async () => {
  using at = setUp();
  const sums = [1, 2, 3].map((a) => at.worker.add({ a, b: 10 }));
  assert.deepEqual(await Promise.all(sums), [11, 12, 13]);
  assert.equal(at.worker.load, 0);
});

Deno.test("a refusal keeps its code, a fault its text", async () => {
  using at = setUp();
  const refused = { name: "DomainError", code: "not_found", message: "Cannot find it" };
  await assert.rejects(at.worker.refuse(undefined as never), refused);
  await assert.rejects(at.worker.fail(undefined as never), {
    message: "TypeError: a fault",
  });
});

Deno.test("bytes in a result come with it, and notes reach the log", async () => {
  using at = setUp();
  const { size, content } = await at.worker.bytes({ size: 1_000 });
  assert.deepEqual([size, content.length], [1_000, 1_000]);
  await at.worker.note({ text: "a sentence" });
  assert.deepEqual(at.notes, ["a sentence"]);
});

Deno.test("an aborted call rejects at once, or waits for how far it came", async () => {
  using at = setUp();
  const aborted = at.worker.wait(null, { signal: AbortSignal.abort() });
  await assert.rejects(aborted, { name: "AbortError" });
  const controller = new AbortController();
  const { signal } = controller;
  const dropped = assert.rejects(at.worker.wait(null, { signal }), { name: "AbortError" });
  const kept = at.worker.wait(null, { signal, awaitsEnd: true });
  controller.abort();
  await dropped;
  assert.equal(await kept, "stopped in time");
  const { cancelled } = await at.worker.counts(undefined as never);
  assert.equal(cancelled, 2);
});

Deno.test("a listener hears reports, refuses them, and its own fault fails the call", async () => {
  using at = setUp();
  const heard: number[] = [];
  const onReport = (report: number) => void heard.push(report);
  assert.equal(await at.worker.report(null, { onReport }), "reported");
  assert.deepEqual(heard, [1]);
  const refused = new DomainError("over_quota", "Cannot write more");
  await assert.rejects(at.worker.report(null, { onReport: async () => await refused }), refused);
  const fault = new TypeError("a fault of the listener");
  const failing = at.worker.report(null, {
    onReport() {
      throw fault;
    },
  });
  await assert.rejects(failing, fault);
});

Deno.test("a call that takes too long ends the worker, and another follows", async () => {
  using at = setUp();
  const other = at.worker.wait(null);
  const timeout = { ms: 20, error: new Error("too long"), others: new Error("another's fault") };
  const [late, lost] = await Promise.allSettled([at.worker.wait(null, { timeout }), other]);
  assert.deepEqual([late, lost].map((end) => "reason" in end && end.reason.message), [
    "too long",
    "another's fault",
  ]);
  assert.equal(at.worker.isRunning, false);
  assert.equal(await at.worker.add({ a: 1, b: 1 }, { timeout: { ...timeout, ms: 10_000 } }), 2);
});

Deno.test("a stream begins when it is read, and goes no faster than it is read", async () => {
  using at = setUp();
  const { head, stream } = await at.worker.count({ parts: 100 });
  assert.deepEqual(head, { parts: 100 });
  const counts = async () => await at.worker.counts(undefined as never);
  await pause(20);
  assert.equal((await counts()).sent, 0);
  const reader = stream.read({ size: 3 }).getReader();
  assert.deepEqual((await reader.read()).value, new Uint8Array([0, 0, 0]));
  await pause(20);
  assert((await counts()).sent <= 6, "few parts wait for a slow reader");
  let last = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    last = value[0] ?? 0;
  }
  assert.equal(last, 99);
  assert.equal(at.worker.load, 0);
});

Deno.test("a stream that breaks never ends as if it were complete", async () => {
  using at = setUp();
  const { stream } = await at.worker.count({ parts: 5, thenFail: true });
  await assert.rejects(new Response(stream.read({ size: 1 })).bytes(), { code: "not_found" });
});

Deno.test("a stream whose reader goes is cancelled in the worker, read or not", async () => {
  using at = setUp();
  const read = await at.worker.count({ parts: 1_000 });
  const reader = read.stream.read({ size: 1 }).getReader();
  await reader.read();
  await reader.cancel();
  const unread = await at.worker.count({ parts: 1_000 });
  unread.stream.cancel();
  const { cancelled } = await at.worker.counts(undefined as never);
  assert.equal(cancelled, 2);
  assert.equal(at.worker.load, 0);
});

Deno.test("a worker that dies breaks off its calls and streams, and another follows", async () => {
  using at = setUp();
  const broken = {
    code: "internal",
    message: "Cannot finish the work: its thread stopped unexpectedly",
  };
  const open = await at.worker.count({ parts: 1_000 });
  const reader = open.stream.read({ size: 1 }).getReader();
  await reader.read();
  await assert.rejects(at.worker.die(undefined as never), broken);
  await assert.rejects(async () => {
    while (!(await reader.read()).done);
  }, broken);
  assert.equal(await at.worker.add({ a: 1, b: 1 }), 2);
});
