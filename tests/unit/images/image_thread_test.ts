import assert from "node:assert/strict";
import { ImageThread } from "../../../lib/server/images/image_thread.ts";

function stage(patienceMs = 10_000) {
  const notes: string[] = [];
  const thread = new ImageThread<null, string, string>({
    script: new URL("./stuck_worker.ts", import.meta.url),
    setup: null,
    patienceMs,
    note: (sentence) => void notes.push(sentence),
  });
  return {
    notes,
    call: (task: string) => thread.call(task, []),
    [Symbol.dispose]: () => thread.close(),
  };
}
const lost = { name: "ThreadLost" };

Deno.test("a task that never ends is given up, and others on its thread are told", async () => {
  using at = stage(500);
  const stuck = assert.rejects(at.call("hang"), {
    name: "NoPreview",
    reason: "the picture is too large",
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const other = assert.rejects(at.call("hang"), lost);
  await Promise.all([stuck, other]);
  assert.equal(await at.call("do"), "done", "the next task gets another thread");
});

Deno.test("a thread that dies is replaced, and the log told", async () => {
  using at = stage();
  await assert.rejects(Promise.any([at.call("die"), at.call("hang")]), { name: "AggregateError" });
  assert.match(at.notes.join(), /died/);
  assert.equal(await at.call("do"), "done");
});

Deno.test("refusals and faults are told apart", async () => {
  using at = stage();
  await assert.rejects(at.call("refuse"), { name: "NoPreview", reason: "it is no picture" });
  await assert.rejects(at.call("fail"), { name: "Error", message: "a fault of the program" });
});

Deno.test("a thread that is spent gets no further task", async () => {
  using at = stage();
  const other = assert.rejects(at.call("hang"), lost);
  await assert.rejects(at.call("spend"), { name: "NoPreview", reason: "broken" });
  await other;
  assert.equal(await at.call("do"), "done");
});

Deno.test("an idle thread gives its memory back, one with a task on its way does not", async () => {
  using at = stage();
  assert.equal(await at.call("count"), "1");
  const waiting = assert.rejects(at.call("rest too early"), lost);
  assert.equal(await at.call("count"), "2");
  assert.equal(await Promise.any([at.call("count"), waiting]), "3", "still the same thread");
  await assert.rejects(at.call("spend"));
  await waiting;
  assert.equal(await at.call("count and rest"), "1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await at.call("count"), "1", "another thread");
});

Deno.test("tasks under way end when the thread is closed", async () => {
  const at = stage();
  const stuck = assert.rejects(at.call("hang"), lost);
  at[Symbol.dispose]();
  await stuck;
});
