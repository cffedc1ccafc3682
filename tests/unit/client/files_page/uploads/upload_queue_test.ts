import assert from "node:assert/strict";
import { ROOT } from "../../../../../lib/shared/path.ts";
import { createJob } from "../../../../../lib/client/files_page/uploads/upload_job.ts";
import { UploadQueue } from "../../../../../lib/client/files_page/uploads/upload_queue.ts";

function jobOf(id: number) {
  return createJob(id, ROOT, { segments: [`${id}`], file: new File(["x"], `${id}`) }, false);
}

function startAll(queue: UploadQueue): number[] {
  const ids: number[] = [];
  for (let job = queue.start(); job !== null; job = queue.start()) ids.push(job.id);
  return ids;
}

Deno.test("uploads that were active together are started again in their order", () => {
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) {
    const queue = new UploadQueue();
    for (let id = 1; id <= 8; id++) queue.add(jobOf(id));
    const active = [queue.start(), queue.start(), queue.start()];
    for (const index of order) {
      const job = active[index];
      if (job) queue.putBack(job);
    }
    assert.deepEqual(startAll(queue), [1, 2, 3, 4, 5, 6, 7, 8], `${order}`);
  }
});

Deno.test("uploads that are put back when none waits keep their order, and are counted", () => {
  const queue = new UploadQueue();
  for (let id = 1; id <= 3; id++) queue.add(jobOf(id));
  const active = [queue.start(), queue.start(), queue.start()];
  assert.equal(queue.start(), null);
  for (const job of active.reverse()) if (job) queue.putBack(job);
  assert.equal(queue.look({ from: 0, to: 9 }).listed, 3);
  assert.deepEqual(startAll(queue), [1, 2, 3]);
});
