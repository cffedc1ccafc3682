import assert from "node:assert/strict";
import { shareSync } from "../../../../lib/server/core/disk/linux_disk.ts";

/** A disk whose flushes end when the test says so. */
function slowDisk() {
  const flushes: PromiseWithResolvers<void>[] = [];
  const flush = () => {
    const ended = Promise.withResolvers<void>();
    flushes.push(ended);
    return ended.promise;
  };
  return { flushes, flush };
}

/** Lets all that can go on do so. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("who comes while a flush runs waits for the next one, which serves all of them", async () => {
  const { flushes, flush } = slowDisk();
  const done: string[] = [];
  const ask = (name: string) => shareSync("1:2", flush).then(() => void done.push(name));
  const all = [ask("a"), ask("b"), ask("c")];
  await settle();
  assert.equal(flushes.length, 1);
  flushes[0]?.resolve();
  await settle();
  assert.deepEqual(done, ["a"], "the first flush may have been too early for the others");
  assert.equal(flushes.length, 2);
  all.push(ask("d"));
  flushes[1]?.resolve();
  await settle();
  assert.deepEqual(done, ["a", "b", "c"]);
  flushes[2]?.resolve();
  await Promise.all(all);
  assert.equal(flushes.length, 3);
});

Deno.test("a flush that fails fails for all whom it serves, and for nobody else", async () => {
  const { flushes, flush } = slowDisk();
  const asked = [1, 2, 3].map(() => shareSync("3:4", flush).then(() => "done", () => "failed"));
  flushes[0]?.resolve();
  await settle();
  flushes[1]?.reject(new Error("the disk fails"));
  assert.deepEqual(await Promise.all(asked), ["done", "failed", "failed"]);
  const later = shareSync("3:4", flush);
  flushes[2]?.resolve();
  await later;
});

Deno.test("flushes of two folders do not wait for each other", async () => {
  const { flushes, flush } = slowDisk();
  const first = shareSync("5:6", flush);
  const second = shareSync("5:7", flush);
  flushes[1]?.resolve();
  await second;
  flushes[0]?.resolve();
  await first;
});
