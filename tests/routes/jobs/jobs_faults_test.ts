import assert from "node:assert/strict";
import { join } from "node:path";
import { plantNames } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";

const app = await startApp({
  tree: { home: { "a.txt": "A", "b.txt": "B", docs: { "c.txt": "C" }, to: { docs: {} } } },
});
Deno.test.afterAll(app.close);

const { token } = await app.addUser("anna", { scope: "/home" });
const headers = { prefer: "respond-async, wait=30" };

const at = (path: string) => join(app.root, "home", path);
const text = (path: string) => Deno.readTextFileSync(at(path));
const namesIn = (path: string) => [...Deno.readDirSync(at(path))].map(({ name }) => name).sort();

async function begin(action: string, entries: object[], as = token): Promise<JobInfo> {
  const json = { action, entries };
  const answer = await app.call("POST", "/api/jobs", { token: as, json, headers });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

async function undo(id: string, as = token): Promise<JobInfo> {
  const answer = await app.call("POST", `/api/jobs/${id}/undo`, { token: as, headers });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

/** A job when it is over or paused. */
async function ended(id: string): Promise<JobInfo> {
  return await (await app.call("GET", `/api/jobs/${id}`, { token, headers })).json();
}

/** The job that a call is waiting for, which is found in the list. */
async function jobAtWork(): Promise<JobInfo> {
  while (true) {
    const jobs: JobInfo[] = await (await app.call("GET", "/api/jobs", { token })).json();
    const found = jobs.find(({ ended }) => ended === null);
    if (found) return found;
  }
}

function exists(path: string): boolean {
  try {
    return !!Deno.lstatSync(at(path));
  } catch {
    return false;
  }
}

// A folder whose copy is not over before a call that changes its job comes.
Deno.mkdirSync(at("many"));
plantNames(at("many"), 20_000);

Deno.test("an id that can be none is not found, however long it is", async () => {
  for (const id of ["x".repeat(3000), "%2e%2e", "a%2Fb", "%00", "none", "'\"<>"]) {
    for (const [method, more] of [["GET", ""], ["PATCH", ""], ["POST", "/undo"]] as const) {
      const json = method === "PATCH" ? { state: "paused" } : undefined;
      const answer = await app.call(method, `/api/jobs/${id}${more}`, { token, json });
      assert.ok([400, 404].includes(answer.status), `${method} ${id}: ${answer.status}`);
      await answer.body?.cancel();
    }
  }
});

Deno.test("a path that the store can't hold is refused before anything is done", async () => {
  const long = `/${"\u{1F600}/".repeat(3999)}${"n".repeat(60_000)}`;
  for (const entry of [{ path: long }, { path: "/a.txt", destination: long }]) {
    const action = "destination" in entry ? "copy" : "trash";
    const json = { action, entries: [{ path: "/a.txt", destination: "/b" }, entry] };
    await assertRefused(await app.call("POST", "/api/jobs", { token, json }), 400, "invalid_path");
  }
  assert.equal(text("a.txt"), "A");
});

Deno.test("entries of any length are kept and dealt with, many of them as well", async () => {
  const deep = (index: number) => `/${"\u4e2d\u6587".repeat(40)}/`.repeat(45) + index;
  const entries = Array.from({ length: 300 }, (_, index) => ({ path: deep(index) }));
  const job = await begin("trash", entries);
  assert.deepEqual([job.state, job.done, job.failed], ["done", 300, 300]);
  assert.equal(job.failures[299]?.path, deep(299).replaceAll("//", "/"));
});

Deno.test("more entries than a job may have are refused", async () => {
  const entries = Array.from({ length: 100_001 }, () => ({ path: "/x" }));
  const json = { action: "trash", entries };
  await assertRefused(await app.call("POST", "/api/jobs", { token, json }), 400, "invalid_body");
});

Deno.test("a folder that is merged by a call that prefers a job is where it was sent", async () => {
  const answer = await app.call(
    "PATCH",
    "/api/resources/docs?action=copy&destination=/to/docs&override=true",
    { token, headers },
  );
  await assertStatus(answer, 200);
  assert.equal(answer.headers.get("content-location"), "/api/resources/to/docs");
  assert.equal(text("to/docs/c.txt"), "C");
});

Deno.test("the longest name is shortened where a copy, a move, an archive or a restore needs another", async () => {
  const name = `${"\u65e5".repeat(83)}.zip`.padStart(255 - 83 * 2, "n");
  assert.equal(new TextEncoder().encode(name).length, 255);
  Deno.mkdirSync(at("long"));
  Deno.writeTextFileSync(at(`long/${name}`), "L");
  Deno.writeTextFileSync(at(`to/${name}`), "other");
  const path = `/long/${name}`;
  const copied = await begin("copy", [{ path, destination: path, rename: true }]);
  assert.deepEqual([copied.failures, copied.arrived.length], [[], 1]);
  const [arrived = ""] = copied.arrived;
  assert.match(arrived, /^n*\u65e5+\(1\)\.zip$/);
  assert.equal(text(`long/${arrived}`), "L");
  const undone = await undo(copied.id);
  assert.deepEqual(undone.failures, []);
  const moved = await begin("move", [{ path, destination: `/to/${name}`, rename: true }]);
  assert.deepEqual([moved.failures, moved.arrived], [[], [arrived]]);
  assert.deepEqual((await undo(moved.id)).failures, []);
  const archive = { path: "/docs", destination: `/to/${name}`, rename: true };
  const packed = await begin("archive", [archive]);
  assert.deepEqual([packed.failures, packed.arrived], [[], [arrived]]);
  const trashed = await begin("trash", [{ path }]);
  Deno.writeTextFileSync(at(`long/${name}`), "new");
  assert.deepEqual((await undo(trashed.id)).failures, []);
  assert.deepEqual([text(`long/${name}`), text(`long/${arrived}`)], ["new", "L"]);
  Deno.removeSync(at("long"), { recursive: true });
  for (const each of [name, arrived]) Deno.removeSync(at(`to/${each}`));
});

Deno.test("a call that waits for its job is refused when another device cancels it", async () => {
  const call = app.call("PATCH", "/api/resources/many?action=copy&destination=/copy", {
    token,
    headers,
  });
  const { id } = await jobAtWork();
  const json = { state: "cancelled" };
  await assertStatus(await app.call("PATCH", `/api/jobs/${id}`, { token, json }), 200);
  await assertRefused(await call, 412, "precondition_failed");
  assert.ok(!exists("copy"));
});

Deno.test("a job that waits for its turn changes at once, and a user has a hundred unfinished ones at most", async () => {
  const before = namesIn("/");
  const entries = [{ path: "/many", destination: "/many", rename: true }];
  const post = () => app.call("POST", "/api/jobs", { token, json: { action: "copy", entries } });
  const change = async (id: string | undefined, state: string) => {
    const answer = await app.call("PATCH", `/api/jobs/${id}`, { token, json: { state } });
    return (await answer.json()).state;
  };
  const beginOne = async () => (await (await post()).json()).id;
  const atWork = [await beginOne(), await beginOne(), await beginOne(), await beginOne()];
  const waiting = await beginOne();
  assert.equal(await change(waiting, "paused"), "paused");
  assert.equal(await change(waiting, "running"), "queued");
  assert.equal(await change(waiting, "cancelled"), "cancelled");
  for (const id of atWork) await change(id, "paused");
  for (const id of atWork) assert.equal((await ended(id)).state, "paused");
  const paused = [...atWork];
  for (; paused.length < 100; paused.push(await beginOne())) await change(paused.at(-1), "paused");
  await change(paused.at(-1), "paused");
  const refused = await post();
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  await assertRefused(refused, 429, "throttled");
  for (const id of paused) assert.equal((await ended(id)).state, "paused");
  for (const id of paused) assert.equal(await change(id, "cancelled"), "cancelled");
  assert.deepEqual(namesIn("/"), before);
});

Deno.test("of very many failures the first thousand are kept", async () => {
  const entries = Array.from({ length: 1500 }, (_, index) => ({ path: `/none${index}` }));
  const { id, failed, failures } = await begin("delete", entries);
  assert.deepEqual([failed, failures.length], [1500, 1000]);
  const { jobs } = app.cubby;
  const [user] = (await app.cubby.users.list()).filter(({ username }) => username === "anna");
  const job = await jobs.records.get(user?.id ?? 0, id);
  assert.equal((await jobs.records.failures(job, 5000)).length, 1000);
});

Deno.test("undo of a paused job leaves nothing of its unfinished copy", async () => {
  const before = namesIn("to");
  const entries = [
    { path: "/a.txt", destination: "/to/a.txt" },
    { path: "/many", destination: "/to/many" },
  ];
  const json = { action: "copy", entries };
  const { id } = await (await app.call("POST", "/api/jobs", { token, json })).json();
  while (!exists("to/a.txt")) await app.call("GET", "/api/jobs", { token });
  const change = { token, json: { state: "paused" } };
  await assertStatus(await app.call("PATCH", `/api/jobs/${id}`, change), 200);
  assert.equal((await ended(id)).state, "paused");
  assert.equal((await undo(id)).state, "undone");
  assert.deepEqual(namesIn("to"), before);
});

Deno.test("a job that stays paused is cancelled after 30 days, or goes with its user", async () => {
  const { user, token: leaving } = await app.addUser("leaving", { scope: "/home" });
  const later = () => app.cubby.jobs.expire(Date.now() + 31 * 24 * 60 * 60 * 1000);
  const json = { action: "copy", entries: [{ path: "/many", destination: "/left" }] };
  const pause = { state: "paused" };
  const [own, theirs] = await Promise.all([token, leaving].map(async (as) => {
    const { id } = await (await app.call("POST", "/api/jobs", { token: as, json })).json();
    await assertStatus(await app.call("PATCH", `/api/jobs/${id}`, { token: as, json: pause }), 200);
    await (await app.call("GET", `/api/jobs/${id}`, { token: as, headers })).body?.cancel();
    return id;
  }));
  await app.cubby.users.remove(user.id);
  await later();
  assert.equal((await ended(own)).state, "cancelled");
  await assert.rejects(app.cubby.jobs.records.get(user.id, theirs), /Cannot find the job/);
  await later();
  await assertRefused(await app.call("GET", `/api/jobs/${own}`, { token }), 404, "not_found");
});

Deno.test("who may modify, but not rename, undoes what an upload has replaced", async () => {
  const { token: writer } = await app.addUser("writer", {
    scope: "/home",
    perm: { rename: false, delete: false },
  });
  Deno.writeTextFileSync(at("put.txt"), "former");
  const job = crypto.randomUUID();
  const put = await app.call("PUT", `/api/resources/put.txt?job=${job}`, {
    token: writer,
    body: "new",
  });
  await assertStatus(put, 200);
  assert.deepEqual((await undo(job, writer)).failures, []);
  assert.equal(text("put.txt"), "former");
});

Deno.test("what was replaced and not kept cannot be undone, and the job says so", async () => {
  const settings = await app.cubby.settings.get();
  const trash = { ...settings.trash, versions: false };
  await app.cubby.settings.update({ ...settings, trash });
  const entry = { path: "/a.txt", destination: "/b.txt", override: true };
  const job = await begin("copy", [entry]);
  await app.cubby.settings.update(settings);
  assert.equal(job.undo, "part");
});
