import assert from "node:assert/strict";
import { Tasks } from "../../../../../lib/client/base/files/tasks.ts";
import { jobInfo } from "../../fake_jobs.ts";

const job = (id: string, second: number, done = 0) =>
  jobInfo({ id, began: `2026-10-05T12:00:0${second}.000Z`, done, total: 3 });

const over = { ended: "2026-10-05T12:01:00.000Z", state: "done" } as const;

const shownIn = ({ shown }: Tasks) => shown.value.map(({ id, done }) => [id, done]);

Deno.test("a job that is over is not shown, whatever it was before", () => {
  const tasks = new Tasks();
  tasks.put({ ...job("first", 1), ...over });
  assert.deepEqual(tasks.shown.value, []);
  tasks.put(job("first", 1));
  tasks.put({ ...job("first", 1), ...over });
  assert.deepEqual(tasks.shown.value, []);
});

Deno.test("jobs are shown as they are now, the oldest first", () => {
  const tasks = new Tasks();
  tasks.put(job("second", 2));
  tasks.put(job("first", 1));
  tasks.put(job("second", 2, 1));
  assert.deepEqual(shownIn(tasks), [["first", 0], ["second", 1]]);
  tasks.remove("first");
  tasks.remove("none");
  assert.deepEqual(shownIn(tasks), [["second", 1]]);
});

Deno.test("the server's list takes the place of the former, latest first or not", () => {
  const tasks = new Tasks();
  tasks.update([job("second", 2), job("first", 1)]);
  assert.deepEqual(shownIn(tasks), [["first", 0], ["second", 0]]);
  tasks.put(job("first", 1, 2));
  tasks.update([job("third", 3), job("second", 2, 1)]);
  assert.deepEqual(shownIn(tasks), [["second", 1], ["third", 0]]);
  tasks.update([]);
  assert.deepEqual(shownIn(tasks), []);
});

Deno.test("a job that is followed stays until it is removed, whether the server knows it or not", () => {
  const tasks = new Tasks();
  tasks.follow(job("own", 1));
  tasks.update([]);
  tasks.update([job("other", 2)]);
  assert.deepEqual(shownIn(tasks), [["own", 0], ["other", 0]]);
  tasks.update([job("own", 1, 2)]);
  assert.deepEqual(shownIn(tasks), [["own", 2]]);
  tasks.remove("own");
  tasks.update([]);
  assert.deepEqual(shownIn(tasks), []);
});
