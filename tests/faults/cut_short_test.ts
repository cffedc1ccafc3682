/** The states in which a kill leaves the disk and the store, one by one, and what becomes of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { EntryPath } from "../../lib/shared/path.ts";
import { delay } from "../../lib/shared/delay.ts";
import { Gate } from "../../lib/server/core/access/gate.ts";
import { makeTemporaryName } from "../../lib/server/core/access/names.ts";
import { disk } from "../../lib/server/core/disk/this_disk.ts";
import { EntryObservers, pendingChanges } from "../../lib/server/files/entry_observers.ts";
import { finishTransfer } from "../../lib/server/files/transfer/finish_transfer.ts";
import { newJob } from "../../lib/server/features/jobs/job.ts";
import { openStore } from "../../lib/server/core/kv/store.ts";
import {
  makeTrashId,
  placeInTrash,
  type TrashedEntry,
} from "../../lib/server/files/trash/trash_records.ts";
import { SERVER } from "../../lib/server/core/access/viewer.ts";
import type { TransferReport } from "../../lib/server/files/transfer/progress.ts";
import { runTransfer } from "../../lib/server/files/transfer/run_transfer.ts";
import { plant, plantNames, temporaryFolder, type Tree } from "../support/disks/files.ts";
import { mountMemory } from "../support/disks/memory_disk.ts";
import { startApp } from "../support/server/app.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";
import { at } from "../unit/core/access/visitors.ts";
import { setUp } from "../unit/files/transfers.ts";
import { leftovers } from "./leftovers.ts";

const long = "x".repeat(100_000);

for (const left of [0, 70_000, 100_000]) {
  Deno.test(`a copy goes on with a file of which ${left} bytes were copied`, async () => {
    await using s = await setUp({ a: { "a.bin": long, "b.txt": "b" }, to: {} });
    const [staging, since] = [makeTemporaryName(), Date.now() + 1_000];
    Deno.mkdirSync(s.path("to", staging, "a"), { recursive: true });
    Deno.writeTextFileSync(s.path("to", staging, "a/a.bin"), long.slice(0, left));
    await s.copy("/a", "/to/a", { resumable: { staging, since } });
    assert.equal(s.text("to/a/a.bin"), long);
    assert.deepEqual([...Deno.readDirSync(s.path("to"))].map(({ name }) => name), ["a"]);
  });
}

for (const isChanged of [true, false]) {
  const title = isChanged
    ? "a half copy of what has changed since is begun again"
    : "a half copy of what is as it was is resumed";
  Deno.test(title, async () => {
    await using here = await openApp({ "a.bin": long, to: {} });
    const { cubby: { jobs }, call, path } = here;
    const entries = [{ path: at("/a.bin"), to: at("/to/a.bin") }];
    const { ino, ctime } = Deno.statSync(path("a.bin"));
    const since = (ctime?.getTime() ?? 0) + (isChanged ? 0 : 1_000);
    const job = newJob({ userId: 1, address: "127.0.0.1", action: "copy" }, entries);
    await jobs.records.add({ ...job, state: "paused", current: { ino, since } }, entries);
    // Other bytes than the original has now.
    const left = "y".repeat(70_000);
    Deno.mkdirSync(path(`to/${job.staging}`));
    Deno.writeTextFileSync(path(`to/${job.staging}/a.bin`), left);
    const resumed = JSON.stringify({ state: "running" });
    await assertStatus(await call("PATCH", `/api/jobs/${job.id}`, undefined, resumed), 200);
    const { state, failures } = await jobs.info(await jobs.wait(1, job.id, Infinity));
    assert.deepEqual([state, failures], ["done", []]);
    const expected = isChanged ? long : left + long.slice(left.length);
    assert.ok(Deno.readTextFileSync(path("to/a.bin")) === expected);
  });
}

for (const isFinished of [false, true]) {
  Deno.test(`a move whose copy has its name is finished, times kept: ${isFinished}`, async () => {
    await using folder = await temporaryFolder();
    const at2001 = new Date("2001-02-03T04:05:06Z");
    for (const [name, time] of [["from", new Date()], ["to", at2001]] as const) {
      const path = join(folder.path, name);
      Deno.mkdirSync(path, { mode: 0o751 });
      Deno.writeTextFileSync(join(path, "a.txt"), "a");
      Deno.utimeSync(join(path, "a.txt"), at2001, at2001);
      Deno.utimeSync(path, time, time);
    }
    const to = join(folder.path, "to");
    const { ino } = Deno.statSync(to);
    const access = new Gate({ root: folder.path, reserved: [] }).enter(SERVER);
    const way = { action: "move" as const, override: false, rename: false };
    const request = { ...way, from: at("/from"), to: at("/to") };
    const copy = { to: at("/to"), ino, isFinished };
    assert.ok(await finishTransfer(access, request, copy, new AbortController().signal));
    assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), ["to"]);
    assert.equal(Deno.statSync(to).mtime?.getTime() === at2001.getTime(), isFinished);
  });
}

Deno.test("what is kept by path follows an entry to its own new name, not to another's", async () => {
  await using s = await setUp({ "b.txt": "another", "b(1).txt": "moved" });
  const store = await openStore(":memory:");
  const told: string[] = [];
  const observers = new EntryObservers(store, new Gate({ root: s.root, reserved: [] }));
  observers.add({
    hasBelow: () => Promise.resolve(true),
    follow(_store, from, to) {
      told.push(to === null ? from : `${from} -> ${to}`);
      return Promise.resolve([]);
    },
  });
  const inoOf = (name: string) => Deno.statSync(s.path(name)).ino;
  const pending = (change: object) => {
    const all = { from: "/a.txt", to: "/b.txt", isNumbered: true, ...change };
    return store.atomic((operation) => operation.set(pendingChanges.key(crypto.randomUUID()), all));
  };
  await pending({ ino: inoOf("b(1).txt") });
  await observers.finishPending();
  await pending({ ino: 1, copy: { to: "/b(1).txt", ino: inoOf("b(1).txt") } });
  await observers.finishPending();
  await pending({ ino: 1 });
  await observers.finishPending();
  store.close();
  assert.deepEqual(told, ["/a.txt -> /b(1).txt", "/a.txt -> /b(1).txt", "/a.txt"]);
});

Deno.test("a share follows a deletion, and a restore, that a kill has cut short", async () => {
  await using here = await openApp({ "a.txt": "a" });
  const { app, call, cubby: { observers, store, trash }, path } = here;
  const shared = await call("POST", "/api/share/a.txt");
  const { hash } = await shared.json();
  const isOpen = async () => {
    const { ok, body } = await app.call("GET", `/api/public/dl/${hash}`);
    await body?.cancel();
    return ok;
  };
  const pending = (from: EntryPath, to: EntryPath, ino: number | null) => {
    const change = { from, to, ino, isNumbered: true };
    return pendingChanges.set(store, [crypto.randomUUID()], change);
  };
  const { ino } = Deno.statSync(path("a.txt"));
  const now = Date.now();
  const entry: TrashedEntry = {
    ...{ id: makeTrashId(now), userId: 1, path: at("/a.txt"), isDir: false, size: 1, at: now },
    ...{ top: at("/"), ino, isFollowed: true },
  };
  const place = placeInTrash(entry);
  await trash.records.put(entry);
  await pending(entry.path, place, ino);
  Deno.mkdirSync(join(here.trash, entry.id), { recursive: true });

  await observers.finishPending();
  assert.ok(await isOpen(), "killed before the deletion");
  await pending(entry.path, place, ino);
  Deno.renameSync(path("a.txt"), join(here.trash, entry.id, "a.txt"));
  await observers.finishPending();
  assert.equal(await isOpen(), false, "killed after it");

  await pending(place, entry.path, ino);
  await observers.finishPending();
  await trash.sweep();
  assert.equal(await isOpen(), false, "killed before the restore");
  await pending(place, entry.path, ino);
  Deno.writeTextFileSync(path("a.txt"), "another");
  Deno.renameSync(join(here.trash, entry.id, "a.txt"), path("a(1).txt"));
  await observers.finishPending();
  await trash.sweep();
  assert.ok(await isOpen(), "killed after it");
  assert.equal(await (await app.call("GET", `/api/public/dl/${hash}`)).text(), "a");
  assert.deepEqual(await pendingChanges.list(store), []);
});

async function openApp(tree: Tree) {
  const app = await startApp({ inProcess: true, tree });
  const token = await app.tokenOf("admin");
  const call = (method: string, path: string, headers?: Record<string, string>, body?: string) =>
    app.call(method, path, { token, headers, body });
  const trash = join(app.root, ".cubby-trash");
  const path = (name: string) => join(app.root, name);
  const { cubby } = app;
  return { app, cubby, call, trash, path, [Symbol.asyncDispose]: app.close };
}

Deno.test("a deletion that is under way is not forgotten by emptying the trash", async () => {
  await using here = await openApp({ "a.txt": "a" });
  const { cubby: { trash: { records } }, call } = here;
  const at = Date.now();
  const facts = { userId: 1, isDir: false, size: 1, ino: 5, at };
  const coming = { ...facts, id: makeTrashId(at), path: "/b.txt", top: "/" } as never;
  await records.put(coming);
  await assertStatus(await call("DELETE", "/api/resources/a.txt?trash=true"), 200);
  await assertStatus(await call("DELETE", "/api/trash"), 200);
  assert.deepEqual(await records.list(), [coming]);
  assert.deepEqual([...Deno.readDirSync(here.trash)], []);
});

Deno.test("a start removes what a deletion, a restore or a replacement has left half done", async () => {
  await using here = await openApp({ "a.txt": "a", "b.txt": "b" });
  const { cubby: { trash }, call } = here;
  const answer = await call("DELETE", "/api/resources/a.txt?trash=true");
  await answer.body?.cancel();
  const id = answer.headers.get("content-location")?.split("/").at(-1) ?? "";
  Deno.renameSync(join(here.trash, id, "a.txt"), here.path("a.txt"));
  const folder = disk.folder(here.app.root);
  const former = folder.look("b.txt");
  assert.ok(former);
  assert.ok(await trash.formerFilesOf(1).keep(folder, at("/b.txt"), former));
  folder[Symbol.dispose]();
  await trash.sweep();
  assert.deepEqual(await trash.records.list(), []);
  assert.deepEqual([...Deno.readDirSync(here.trash)], []);
  assert.equal(Deno.readTextFileSync(here.path("b.txt")), "b");
});

Deno.test("a version of a file that was not replaced is restored in its own place", async () => {
  await using here = await openApp({ "b.txt": "b" });
  const { cubby: { trash }, call } = here;
  const folder = disk.folder(here.app.root);
  const former = folder.look("b.txt");
  assert.ok(former);
  const kept = await trash.formerFilesOf(1).keep(folder, at("/b.txt"), former);
  folder[Symbol.dispose]();
  await assertStatus(await call("POST", `/api/trash/${kept?.id}?override=true`), 200);
  assert.equal(Deno.readTextFileSync(here.path("b.txt")), "b");
  assert.deepEqual(await trash.records.list(), []);
  assert.deepEqual([...Deno.readDirSync(here.trash)], []);
});

Deno.test("what has come of an upload goes with its folder, and does not stay there", async () => {
  await using here = await openApp({ a: { deep: {} } });
  const { call, cubby } = here;
  const begin = async (path: string) =>
    await assertStatus(await call("POST", `/api/tus${path}`, { "upload-length": "9" }), 201);
  const part = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
  const named = (name: string) =>
    [...Deno.readDirSync(here.path(name))].filter((entry) => entry.isFile).length;
  await begin("/a/deep/x.bin");
  const move = "/api/resources/a?action=rename&destination=/b";
  await assertStatus(await call("PATCH", move), 200);
  assert.equal(named("b/deep"), 1);
  assert.deepEqual(await leftovers(here.app.root, cubby.store), []);
  const late = await call("PATCH", "/api/tus/a/deep/x.bin", part, "123");
  await assertRefused(late, 404, "not_found");
  assert.equal(named("b/deep"), 0);

  await begin("/b/deep/y.bin");
  await assertStatus(await call("DELETE", "/api/resources/b?trash=false"), 200);
  await assertRefused(await call("PATCH", "/api/tus/b/deep/y.bin", part, "1"), 404, "not_found");
});

Deno.test("a move that is aborted when its copy has the name leaves nothing to go on with", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { a: { "a.txt": "a" }, disk: {} });
  await using far = await mountMemory(join(folder.path, "disk"), "size=1m");
  const access = new Gate({ root: folder.path, reserved: [] }).enter(SERVER);
  const resumable = { staging: makeTemporaryName(), since: 1 };
  const way = { action: "move" as const, override: false, rename: false, resumable };
  const controller = new AbortController();
  const report = (update: TransferReport) => {
    if ("committing" in update && update.committing.isFinished) controller.abort();
    return Promise.resolve();
  };
  const request = { ...way, from: at("/a"), to: at("/disk/a") };
  await runTransfer(access, request, controller.signal, report);
  assert.deepEqual([...Deno.readDirSync(far.path)].map(({ name }) => name), ["a"]);
  assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), ["disk"]);
});

Deno.test("the undo of a job that is paused removes what it would have gone on with", async () => {
  await using here = await openApp({ "a.txt": "a", many: {} });
  const { app, cubby, call } = here;
  plantNames(here.path("many"), 20_000);
  const copies = ["a.txt", "many"].map((name) => ({ path: `/${name}`, destination: `/${name} 2` }));
  const json = JSON.stringify({ action: "copy", entries: copies });
  const { id } = await (await call("POST", "/api/jobs", {}, json)).json();
  const isCopied = () => [...Deno.readDirSync(app.root)].some(({ name }) => name === "a.txt 2");
  const isCopying = async () => (await leftovers(app.root, cubby.store)).length > 0;
  while (!isCopied() || !await isCopying()) await delay(1);
  const paused = JSON.stringify({ state: "paused" });
  await assertStatus(await call("PATCH", `/api/jobs/${id}`, {}, paused), 200);
  await assertStatus(await call("GET", `/api/jobs/${id}`, { prefer: "wait=30" }), 200);
  const undone = await call("POST", `/api/jobs/${id}/undo`, { prefer: "wait=30" });
  assert.deepEqual((await undone.json()).failures, []);
  assert.deepEqual(await leftovers(app.root, cubby.store), []);
  const names = [...Deno.readDirSync(app.root)].map(({ name }) => name).sort();
  assert.deepEqual(names, [".cubby-trash", "a.txt", "many"]);
});
