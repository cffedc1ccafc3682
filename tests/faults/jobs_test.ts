/** Jobs whose clock, user or source changes under them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import type { JobInfo } from "../../lib/shared/schemas/job.ts";
import { expireTrash } from "../../lib/server/files/trash/expire_trash.ts";
import { plantMany } from "../support/disks/files.ts";
import { atLater } from "../support/run/clock.ts";
import { startApp } from "../support/server/app.ts";
import { assertStatus } from "../support/server/refused.ts";
import { leftovers, trashFaults } from "./leftovers.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const count = 4_000;

const app = await startApp({ inProcess: true, tree: { many: {}, "a.txt": "A" } });
Deno.test.afterAll(app.close);
plantMany(join(app.root, "many"), count);
const admin = await app.tokenOf("admin");
const headers = { prefer: "wait=30" };

const namesIn = (path: string) =>
  [...Deno.readDirSync(join(app.root, path))].map(({ name }) => name);
const isThere = (path: string) => namesIn(".").includes(path);

async function begin(action: string, entry: object, token = admin): Promise<string> {
  const json = { action, entries: [entry] };
  return (await (await app.call("POST", "/api/jobs", { token, json })).json()).id;
}

async function ended(id: string, token = admin): Promise<JobInfo> {
  return await (await app.call("GET", `/api/jobs/${id}`, { token, headers })).json();
}

/** Whether a job is under way, with something done; false when it was over before that was seen. */
async function isAtWork(id: string, token = admin): Promise<boolean> {
  while (true) {
    const { progress, ended }: JobInfo = await (await app.call("GET", `/api/jobs/${id}`, { token }))
      .json();
    if (ended !== null) return false;
    if (progress.entries > 0) return true;
    await delay(1);
  }
}

/** A copy of the many files that is under way: another one where a machine is too fast to tell. */
async function copyUnderWay(): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const id = await begin("copy", { path: "/many", destination: "/copy" });
    if (await isAtWork(id)) return id;
    Deno.removeSync(join(app.root, "copy"), { recursive: true });
  }
  throw new Error("Each copy was over before anything could happen to it");
}

/** Runs at another time, and tells what came of it. */
async function atTime<T>(ms: number, run: () => Promise<T>): Promise<T> {
  let came: T[] = [];
  await atLater(ms, async () => void (came = [await run()]));
  return came[0] as T;
}

async function assertTidy(): Promise<void> {
  assert.deepEqual(await leftovers(app.root, app.cubby.store), []);
  assert.deepEqual(await trashFaults(app.root, app.cubby.store), []);
}

for (const jump of [hour, -hour]) {
  Deno.test(`a job and its undo go on when the clock jumps by ${jump / hour} hours`, async () => {
    const id = await copyUnderWay();
    const copied = await atTime(jump, () => ended(id));
    assert.deepEqual([copied.state, copied.failures], ["done", []]);
    assert.equal(namesIn("copy").length, count);
    const undone = await (await app.call("POST", `/api/jobs/${id}/undo`, { token: admin, headers }))
      .json();
    assert.deepEqual([undone.state, undone.failures], ["undone", []]);
    assert.ok(!isThere("copy"));
    await assertTidy();
  });
}

Deno.test("what was deleted while the clock was ahead stays for its days, and is found", async () => {
  await atTime(hour, async () => {
    const token = await app.tokenOf("admin");
    const answer = await app.call("DELETE", "/api/resources/a.txt?trash=true", { token });
    await assertStatus(answer, 200);
  });
  const { trash, gate, settings } = app.cubby;
  const { trash: rules } = await settings.get();
  const soon = Date.now() + rules.days * day;
  await expireTrash(trash, gate.spec(), { ...rules, leastFree: 0 }, soon);
  const token = await app.tokenOf("admin");
  const found = await app.call("GET", "/api/trash?query=a.txt", { token });
  const { items: [item] } = await found.json();
  assert.equal(item?.path, "/a.txt");
  await assertStatus(await app.call("POST", `/api/trash/${item.id}`, { token }), 200);
  assert.ok(isThere("a.txt"));
});

Deno.test("a job whose user is deleted under way goes too, and leaves nothing half done", async () => {
  const { user, token } = await app.addUser("leaving");
  const json = {
    action: "copy",
    entries: [1, 2, 3].map((number) => ({ path: "/many", destination: `/left${number}` })),
  };
  const { id } = await (await app.call("POST", "/api/jobs", { token, json })).json();
  assert.ok(await isAtWork(id, token));
  await app.cubby.users.remove(user.id);
  const { records } = app.cubby.jobs;
  while ((await records.list(user.id)).length > 0) await delay(20);
  assert.ok(!isThere("left3"), "it went on without its user");
  for (const name of namesIn(".").filter((name) => name.startsWith("left"))) {
    assert.equal(namesIn(name).length, count, `${name} is half done`);
    Deno.removeSync(join(app.root, name), { recursive: true });
  }
  await assertTidy();
});

Deno.test("a job whose source is taken away under it fails, or has all of what was there", async () => {
  const id = await copyUnderWay();
  Deno.renameSync(join(app.root, "many"), join(app.root, "elsewhere"));
  const { state, failures } = await ended(id);
  assert.equal(state, "done");
  if (failures.length === 0) assert.equal(namesIn("copy").length, count);
  else assert.ok(!isThere("copy"), "half a folder has the name of the whole");
  await assertTidy();
});
