import assert from "node:assert/strict";
import { startWorker } from "../../../../lib/server/core/concurrency/start_worker.ts";
import type { Task } from "./asking_worker.ts";

/** A Worker that does a task, and a file for it. */
async function begin(task: (file: string) => Task) {
  const file = await Deno.makeTempFile();
  const { promise: first, resolve: onMessage } = Promise.withResolvers<string>();
  const { promise: failed, resolve: onError } = Promise.withResolvers<string>();
  const script = new URL("./asking_worker.ts", import.meta.url);
  const { post, end } = startWorker<string>(script, "asking", { onMessage, onError });
  post(task(file));
  const dispose = async () => {
    end();
    await Deno.remove(file);
  };
  return { file, first, failed, end, [Symbol.asyncDispose]: dispose };
}

/** Waits until no Worker has the file any more. */
async function untilUnlocked(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true });
  await file.lock(true);
}

Deno.test("a Worker gets Workers of its own from the main thread", async () => {
  await using at = await begin((file) => ({ file, byOwn: { file, byOwn: { file } } }));
  assert.equal(await at.first, "its own has its own has locked");
});

Deno.test("a Worker ends with the one that started it", async () => {
  await using at = await begin((file) => ({ file, byOwn: { file, byOwn: { file } } }));
  await at.first;
  at.end();
  await untilUnlocked(at.file);
});

Deno.test("the error of a Worker reaches the thread that started it, and no other", async () => {
  await using alone = await begin((file) => ({ file, fails: true }));
  assert.equal(await alone.failed, "Uncaught Error: a fault");
  await using at = await begin((file) => ({ file, byOwn: { file, fails: true } }));
  assert.equal(await at.first, "its own failed: Uncaught Error: a fault");
});
