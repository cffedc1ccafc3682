/** Jobs of one user at a time: what is over stays over. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Jobs } from "../../../lib/server/features/jobs/jobs.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";

const app = await startApp({ inProcess: true, tree: { home: { "a.txt": "A" } } });
// Another thread of the server: it works on the same store.
const other = new Jobs(app.cubby, app.cubby.jobs.records);
other.adopt();
Deno.test.afterAll(async () => {
  other.close();
  await app.close();
});

const { user, token } = await app.addUser("anna", { scope: "/home" });
const headers = { prefer: "wait=30" };
const atOnce = 8;
const numbers = Array.from({ length: atOnce }, (_, index) => index);

const namesIn = () => [...Deno.readDirSync(join(app.root, "home"))].map(({ name }) => name).sort();

async function call(method: string, path: string, json?: unknown): Promise<JobInfo> {
  const answer = await app.call(method, path, { token, json, headers });
  await assertStatus(answer.clone(), method === "POST" && answer.status === 202 ? 202 : 200);
  return await answer.json();
}

/** Waits until no job is under way, and looks again when every thread has looked for work. */
async function settled(): Promise<JobInfo[]> {
  const { records } = app.cubby.jobs;
  while ((await records.active(user.id)).length > 0) {
    await new Promise((next) => setTimeout(next, 5));
  }
  return await (await app.call("GET", "/api/jobs", { token })).json();
}

function countsOf(jobs: readonly JobInfo[]): Record<string, number> {
  const states = Object.entries(Object.groupBy(jobs, ({ state }) => state));
  return Object.fromEntries(states.map(([state, those]) => [state, those.length]));
}

/** Begins a round with nothing of the one before. */
async function clear(): Promise<void> {
  const { records } = app.cubby.jobs;
  await settled();
  for (const job of await records.list(user.id)) await records.remove(job);
  for (const name of namesIn()) if (name !== "a.txt") Deno.removeSync(join(app.root, "home", name));
}

Deno.test("jobs that are undone at once all end as undone, and stay so", async () => {
  for (let round = 0; round < 6; round++) {
    await clear();
    const jobs = await Promise.all(numbers.map((number) => {
      const entries = [0, 1, 2].map((each) => ({
        path: "/a.txt",
        destination: `/copy${number}-${each}`,
      }));
      return call("POST", "/api/jobs", { action: "copy", entries });
    }));
    assert.deepEqual(jobs.map(({ state }) => state), numbers.map(() => "done"));
    const undone = await Promise.all(jobs.map(({ id }) => call("POST", `/api/jobs/${id}/undo`)));
    assert.deepEqual(undone.map(({ state }) => state), numbers.map(() => "undone"));
    const after = await settled();
    assert.deepEqual(countsOf(after), { undone: atOnce }, `round ${round}`);
    assert.deepEqual(after.map(({ undo }) => undo), numbers.map(() => "nothing"));
    assert.deepEqual(namesIn(), ["a.txt"]);
  }
});

Deno.test("jobs that are cancelled at once end as cancelled, and do nothing after that", async () => {
  for (let round = 0; round < 6; round++) {
    await clear();
    const begun = await Promise.all(numbers.map(async (number) => {
      const entries = Array.from({ length: 60 }, (_, each) => ({
        path: "/a.txt",
        destination: `/copy${number}-${each}`,
      }));
      const json = { action: "copy", entries };
      return (await (await app.call("POST", "/api/jobs", { token, json })).json()).id as string;
    }));
    await Promise.all(begun.map(async (id) => {
      const json = { state: "cancelled" };
      const answer = await app.call("PATCH", `/api/jobs/${id}`, { token, json, headers });
      // It may have been over before.
      assert.ok([200, 412].includes(answer.status), String(answer.status));
      await answer.body?.cancel();
    }));
    const jobs = await settled();
    const names = namesIn();
    for (const { id, state, total, done } of jobs) {
      if (state === "done") assert.equal(done, total, `round ${round}: ${id} looks whole`);
      else assert.equal(state, "cancelled");
    }
    assert.equal(names.length - 1, jobs.reduce((sum, { done }) => sum + done, 0));
    assert.deepEqual(countsOf(await settled()), countsOf(jobs));
    assert.deepEqual(namesIn(), names);
  }
});
