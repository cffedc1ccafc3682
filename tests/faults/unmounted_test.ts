/** A root that is unmounted under jobs, or a disk in it, and comes back. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import type { JobInfo } from "../../lib/shared/schemas/job.ts";
import { openStore } from "../../lib/server/core/kv/store.ts";
import { TrashRecords } from "../../lib/server/files/trash/trash_records.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { startApp } from "../support/server/app.ts";
import { leftovers, trashFaults } from "./leftovers.ts";
import { openStand } from "./kill/stand.ts";

/** It looks often whether its root is there. */
const command = ["run", "-A", "--cached-only", "tests/support/probes/launch_hasty.ts"];

const numbers = Array.from({ length: 400 }, (_, index) => index);
const [moved, trashed] = [numbers.map((n) => `m${n}.txt`), numbers.map((n) => `t${n}.txt`)];

Deno.test("jobs go on when their root was unmounted and is back: all is there once", async () => {
  await using disk = await temporaryFolder();
  plant(disk.path, [...moved, ...trashed]);
  Deno.mkdirSync(join(disk.path, "to"));
  const bind = (root: string) => run("mount", "--bind", disk.path, root);
  const unbind = (root: string) => run("umount", "-l", root);
  const mount = async (root: string) => {
    await bind(root);
    return { [Symbol.asyncDispose]: () => unbind(root) };
  };
  await using stand = await openStand({ mount, command, userCount: 1 });
  const { root, users: [user] } = stand;
  assert.ok(user);
  const begin = async (action: string, names: string[]) => {
    const entries = names.map((name) => ({ path: `/${name}`, destination: `/to/${name}` }));
    const begun = await user.call("POST", "/api/jobs", { json: { action, entries } });
    return (await begun.json()).id as string;
  };
  const ids = [await begin("move", moved), await begin("trash", trashed)];
  await becomesLess(disk.path, moved);
  await becomesLess(disk.path, trashed);
  await unbind(root);
  assert.equal(await stand.ended(), 1, stand.output());
  for (const names of [moved, trashed]) assert.ok(left(disk.path, names) > 0, "a job was done");

  await bind(root);
  await stand.start();
  assert.deepEqual(await stand.jobsEnd(), []);
  for (const id of ids) {
    const { state, done, failed } = await (await user.call("GET", `/api/jobs/${id}`)).json();
    assert.deepEqual([state, done, failed], ["done", numbers.length, 0]);
  }
  assert.equal(left(disk.path, [...moved, ...trashed]), 0);
  assert.equal(left(join(disk.path, "to"), moved), moved.length);
  const store = await openStore(stand.database);
  try {
    const records = (await new TrashRecords(store).list()).map(({ path }) => path.slice(1));
    assert.deepEqual(records.sort(), trashed.toSorted());
    assert.deepEqual(await trashFaults(root, store), []);
    assert.deepEqual(await leftovers(root, store), []);
  } finally {
    store.close();
  }
});

Deno.test("a job pauses when its disk is unmounted, and puts nothing where it was", async () => {
  await using disk = await temporaryFolder();
  Deno.mkdirSync(join(disk.path, "to"));
  await using app = await startApp({ inProcess: true, tree: { disk: {} } });
  plant(app.root, moved);
  const point = join(app.root, "disk");
  await run("mount", "--bind", disk.path, point);
  try {
    const token = await app.tokenOf("admin");
    const call = async (method: string, path: string, json?: unknown): Promise<JobInfo> => {
      const headers = { prefer: "wait=30" };
      return await (await app.call(method, path, { token, json, headers })).json();
    };
    const entries = moved.map((name) => ({ path: `/${name}`, destination: `/disk/to/${name}` }));
    const json = { action: "move", entries };
    const { id } = await (await app.call("POST", "/api/jobs", { token, json })).json();
    await becomesLess(app.root, moved);
    await run("umount", "-l", point);
    const paused = await call("GET", `/api/jobs/${id}`);
    assert.deepEqual([paused.state, paused.failed], ["paused", 0]);
    assert.equal(left(point, ["to"]) && left(join(point, "to"), moved), 0);
    await run("mount", "--bind", disk.path, point);
    await call("PATCH", `/api/jobs/${id}`, { state: "running" });
    const ended = await call("GET", `/api/jobs/${id}`);
    assert.deepEqual(ended.failures, []);
    assert.deepEqual([ended.state, ended.done], ["done", moved.length]);
    assert.equal(left(join(disk.path, "to"), moved), moved.length);
    assert.equal(left(app.root, moved), 0);
    assert.deepEqual(await leftovers(app.root, app.cubby.store), []);
  } finally {
    // It may not be mounted any more.
    await new Deno.Command("umount", { args: ["-l", point], stderr: "null" }).output();
  }
});

function plant(folder: string, names: readonly string[]): void {
  for (const name of names) Deno.writeTextFileSync(join(folder, name), name);
}

/** How many of them are in a folder. */
function left(folder: string, names: readonly string[]): number {
  const there = new Set([...Deno.readDirSync(folder)].map(({ name }) => name));
  return names.filter((name) => there.has(name)).length;
}

async function becomesLess(folder: string, names: readonly string[]): Promise<void> {
  while (left(folder, names) > names.length - 20) await delay(1);
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  assert.ok(success, `${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
