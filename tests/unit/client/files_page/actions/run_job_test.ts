import assert from "node:assert/strict";
import { JobsApi } from "../../../../../lib/client/base/api/jobs_api.ts";
import { Connection } from "../../../../../lib/client/base/api/connection.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { ada, tokenFor, until } from "../../support.ts";
import { errorsOf, setUp } from "./fixture.ts";

const paths = ["a", "b"].map((name) => parsePath(`/docs/${name}`).path);
const to = parsePath("/to").path;

const shownIn = ({ tasks }: Pick<ReturnType<typeof setUp>, "tasks">) =>
  tasks.shown.value.map(({ state, done, total }) => [state, done, total]);

Deno.test("a job that is soon over is never shown", async () => {
  await using files = setUp(["a", "b"]);
  let changes = -1;
  const stop = files.tasks.shown.subscribe(() => void changes++);
  await files.actions.drop("copy", paths, to);
  stop();
  assert.deepEqual([files.news, files.tasks.shown.value], [["2 items copied"], []]);
  assert.ok(changes <= 1);
});

Deno.test("a job that is refused at once is never shown", async () => {
  await using files = setUp(["a", "b"]);
  files.jobs.fault = 403;
  await files.actions.drop("copy", paths, to);
  assert.deepEqual(files.tasks.shown.value, []);
  assert.equal(errorsOf(files).length, 1);
});

Deno.test("a job that takes longer than its first answer is shown with how far it is", async () => {
  await using files = setUp(["a", "b"]);
  files.jobs.isSlow = true;
  const copying = files.actions.drop("copy", paths, to);
  await until(() => files.tasks.shown.value.length === 1);
  assert.deepEqual(shownIn(files), [["running", 0, 2]]);
  await until(() => files.heard.some(({ path }) => path.startsWith("/api/jobs/")));
  files.jobs.advance();
  await until(() => files.tasks.shown.value[0]?.done === 1);
  files.jobs.finish();
  await copying;
  assert.deepEqual([shownIn(files), files.news], [[], ["2 items copied"]]);
  const prefers = files.heard.filter(({ path }) => path.startsWith("/api/jobs"))
    .map(({ headers }) => headers.get("prefer"));
  assert.deepEqual(new Set(prefers), new Set([1, 2].map((wait) => `respond-async, wait=${wait}`)));
});

Deno.test("a lost connection is waited for, while the job goes on", async () => {
  let isThere = false;
  const connection = new Connection(() => Promise.resolve(isThere));
  await using files = setUp(["a", "b"], { connection });
  files.jobs.isSlow = true;
  const copying = files.actions.drop("copy", paths, to);
  await until(() => files.heard.some(({ path }) => path.startsWith("/api/jobs/")));
  files.jobs.lose();
  await until(() => connection.isLost.value);
  assert.deepEqual(shownIn(files), [["running", 0, 2]]);
  files.jobs.finish();
  files.jobs.fault = null;
  isThere = true;
  await copying;
  assert.deepEqual([files.news, errorsOf(files)], [["2 items copied"], []]);
  assert.deepEqual([shownIn(files), files.jobs.asked.length], [[], 1]);
});

Deno.test("a session that runs out meanwhile is waited for", async () => {
  const connection = new Connection(() => Promise.resolve(true));
  await using files = setUp(["a", "b"], { connection });
  files.jobs.isSlow = true;
  const copying = files.actions.drop("copy", paths, to);
  await until(() => files.heard.some(({ path }) => path.startsWith("/api/jobs/")));
  files.jobs.lose(401);
  await until(() => files.session.ended.value !== null);
  files.jobs.finish();
  files.jobs.fault = null;
  files.session.keep(tokenFor(ada, 1, "s2"));
  await copying;
  assert.deepEqual([files.news, errorsOf(files)], [["2 items copied"], []]);
});

Deno.test("a job that is gone meanwhile is shown no more, and told", async () => {
  await using files = setUp(["a", "b"]);
  files.jobs.isSlow = true;
  const copying = files.actions.drop("copy", paths, to);
  await until(() => files.heard.some(({ path }) => path.startsWith("/api/jobs/")));
  files.jobs.lose(404);
  await copying;
  assert.deepEqual([shownIn(files), files.news], [[], []]);
  assert.equal(errorsOf(files).length, 1);
});

/** Begins a slow copy, and pauses it. */
async function pauseCopy(files: ReturnType<typeof setUp>) {
  files.jobs.isSlow = true;
  const jobs = new JobsApi(files.api.calls);
  const copying = files.actions.drop("copy", paths, to);
  await until(() => files.heard.some(({ path }) => path.startsWith("/api/jobs/")));
  const [{ id } = { id: "" }] = files.tasks.shown.value;
  await jobs.change(id, "paused");
  await until(() => files.tasks.shown.value[0]?.state === "paused");
  return { jobs, id, copying };
}

Deno.test("a paused job is shown as such, and goes on as soon as it is resumed here", async () => {
  await using files = setUp(["a", "b"]);
  const { jobs, id, copying } = await pauseCopy(files);
  const resumed = await jobs.change(id, "running");
  assert.ok(resumed.ok);
  const before = files.heard.length;
  files.tasks.put(resumed.value);
  await until(() => files.heard.length > before);
  files.jobs.finish();
  await copying;
  assert.deepEqual([shownIn(files), files.news], [[], ["2 items copied"]]);
});

Deno.test("a paused job that another device has cancelled ends as soon as that is heard", async () => {
  await using files = setUp(["a", "b"]);
  const { jobs, id, copying } = await pauseCopy(files);
  const cancelled = await jobs.change(id, "cancelled");
  assert.ok(cancelled.ok);
  files.tasks.put(cancelled.value);
  await copying;
  assert.deepEqual([shownIn(files), files.news], [[], ["Stopped: 0 of 2 done"]]);
});
