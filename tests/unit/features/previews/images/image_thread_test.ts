import assert from "node:assert/strict";
import type { EncodedPicture } from "../../../../../lib/server/features/previews/images/picture.ts";
import { ImageThread } from "../../../../../lib/server/features/previews/images/image_thread.ts";

function setUp(timeoutMs = 10_000) {
  const notes: string[] = [];
  const thread = new ImageThread({
    script: new URL("./stuck_worker.ts", import.meta.url),
    timeoutMs,
    note: (sentence) => void notes.push(sentence),
  });
  return {
    notes,
    call: async (key: string) => {
      const pictures: [EncodedPicture] = [{ kind: "png", bytes: new Uint8Array(1) }];
      const cache = { folder: "", maxBytes: 0 };
      const task = { pictures, size: "thumb" as const, format: "webp" as const, key, cache };
      return new TextDecoder().decode(await thread.resize(task));
    },
    [Symbol.dispose]: () => thread.close(),
  };
}
const lost = { name: "ThreadLost" };

Deno.test("a task that never ends is given up, and others on its thread are told", async () => {
  // Long enough for a thread to start on a busy machine.
  using at = setUp(2_000);
  const stuck = assert.rejects(at.call("hang"), {
    name: "NoPreview",
    reason: "the picture is too large",
  });
  const other = assert.rejects(at.call("hang"), lost);
  await Promise.all([stuck, other]);
  assert.equal(await at.call("do"), "done", "the next task gets another thread");
});

Deno.test("a thread that dies is replaced, and the log told", async () => {
  using at = setUp();
  await assert.rejects(Promise.any([at.call("die"), at.call("hang")]), { name: "AggregateError" });
  assert.match(at.notes.join(), /died/);
  assert.equal(await at.call("do"), "done");
});

Deno.test("refusals and faults are told apart", async () => {
  using at = setUp();
  await assert.rejects(at.call("refuse"), { name: "NoPreview", reason: "it is not a picture" });
  await assert.rejects(at.call("fail"), { name: "Error", message: "a fault of the program" });
});

Deno.test("a thread that is spent gets no further task", async () => {
  using at = setUp();
  const other = assert.rejects(at.call("hang"), lost);
  await assert.rejects(at.call("fail"), { name: "Error" });
  await other;
  assert.equal(await at.call("do"), "done");
});

Deno.test("an idle thread gives its memory back, one with a task under way does not", async () => {
  using at = setUp();
  const countTwice = async () => {
    const waiting = at.call("wait");
    const before = Number(await at.call("count"));
    assert.equal(await waiting, "waited", "longer than a thread may be idle");
    return Number(await at.call("count")) - before;
  };
  let more = 0;
  // A busy machine may leave it idle for too long after the wait.
  for (let tries = 0; more !== 1 && tries < 5; tries++) more = await countTwice();
  assert.equal(more, 1, "still the same thread");
  let count = "";
  for (let tries = 0; count !== "1" && tries < 5; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    count = await at.call("count");
  }
  assert.equal(count, "1", "another thread");
});

Deno.test("tasks under way end when the thread is closed", async () => {
  const at = setUp();
  const stuck = assert.rejects(at.call("hang"), lost);
  at[Symbol.dispose]();
  await stuck;
});
