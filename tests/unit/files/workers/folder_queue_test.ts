import assert from "node:assert/strict";
import { FolderQueue } from "../../../../lib/server/files/search/folder_queue.ts";

Deno.test("a walk visits the nearest first", () => {
  const queue = new FolderQueue<string>();
  assert.equal(queue.next(), undefined);
  queue.add(["a", "b"]);
  assert.equal(queue.next(), "a");
  queue.add(["a/1", "a/2"]);
  assert.deepEqual([queue.next(), queue.next(), queue.next()], ["b", "a/1", "a/2"]);
  assert.equal(queue.next(), undefined);
  queue.add(["c"]);
  assert.equal(queue.next(), "c");
});

Deno.test("a walk visits each once, and in a wide tree keeps few waiting", () => {
  const queue = new FolderQueue<number>();
  const seen = new Set<number>();
  let waiting = 1;
  let most = 1;
  queue.add([0]);
  // The first 301 hold 300 each.
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    assert(!seen.has(next));
    seen.add(next);
    waiting--;
    if (next > 300) continue;
    const parent = next;
    const children = Array.from({ length: 300 }, (_, index) => parent * 300 + index + 1);
    queue.add(children);
    waiting += children.length;
    most = Math.max(most, waiting);
  }
  assert.equal(seen.size, 1 + 301 * 300);
  assert(most < 6_000, `${most} waited`);
});
