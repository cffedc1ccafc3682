import assert from "node:assert/strict";
import {
  createJob,
  inOrder,
  TransferRate,
} from "../../../../../lib/client/files_page/uploads/upload_job.ts";
import { UploadQueue } from "../../../../../lib/client/files_page/uploads/upload_queue.ts";
import { ROOT } from "../../../../../lib/shared/path.ts";

const range = { from: 0, to: 10 };

/** A queue of files, each of some bytes. */
function queueOf(count: number, bytes: number): UploadQueue {
  const queue = new UploadQueue();
  for (let id = 0; id < count; id++) {
    const file = new File([new Uint8Array(bytes)], `${id}`);
    queue.add(createJob(id, ROOT, { segments: [file.name], file }, false));
  }
  return queue;
}

function finishOne(queue: UploadQueue): void {
  const job = queue.start();
  assert.ok(job);
  queue.finish(job);
}

Deno.test("the progress of many small files is counted in files", () => {
  const queue = queueOf(100, 5);
  for (let index = 0; index < 25; index++) finishOne(queue);
  const { percent, rate } = queue.look(range);
  assert.deepEqual([percent, rate], [25, null]);
});

Deno.test("the progress of a few files is counted in bytes", () => {
  const queue = queueOf(2, 50);
  const job = queue.start();
  assert.ok(job);
  job.sent = 25;
  assert.equal(queue.look(range).percent, 25);
});

Deno.test("a transfer is stalled when nothing has moved for a while", () => {
  const rate = new TransferRate();
  rate.note(0, 0);
  rate.note(100, 1000);
  assert.deepEqual([rate.rate, rate.isStalled], [100, false]);
  rate.note(100, 3000);
  assert.equal(rate.isStalled, false);
  rate.note(100, 6000);
  assert.equal(rate.isStalled, true);
  rate.note(101, 7000);
  assert.equal(rate.isStalled, false);
});

Deno.test("files are uploaded in the order of listings, folders before what is in them", () => {
  const paths = ["f10", "f9", "b/z", "b", "B2", "b/a10", "b/a9"];
  const ordered = inOrder(paths.map((path) => ({ segments: path.split("/"), file: null })));
  assert.deepEqual(
    ordered.map(({ segments }) => segments.join("/")),
    ["b", "b/a9", "b/a10", "b/z", "B2", "f9", "f10"],
  );
});
