/** The trash of a disk of its own: there, read-only for a while, away and back. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { mounts } from "../../lib/server/core/disk/mounts.ts";
import type { JobInfo } from "../../lib/shared/schemas/job.ts";
import { mountMemory } from "../support/disks/memory_disk.ts";
import { mount } from "../support/disks/small_disk.ts";
import { plant, temporaryFolder } from "../support/disks/files.ts";
import { startApp } from "../support/server/app.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";
import { leftovers, trashFaults } from "./leftovers.ts";

const folder = await temporaryFolder();
Deno.mkdirSync(join(folder.path, "disk"));
const disk = await mountMemory(join(folder.path, "disk"), "size=1m");
const app = await startApp({ inProcess: true, config: { root: folder.path } });
Deno.test.afterAll(async () => {
  await app.close();
  await disk[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
const token = await app.tokenOf("admin");
const headers = { prefer: "wait=30" };

await plant(join(folder.path, "disk"), { a: { "f.txt": "F", "g.txt": "G" } });
const text = (path: string) => Deno.readTextFileSync(join(folder.path, path));

async function remove(path: string): Promise<string> {
  const answer = await app.call("DELETE", `/api/resources${path}?trash=true`, { token });
  await assertStatus(answer, 200, path);
  return answer.headers.get("content-location") ?? "";
}

async function job(path: string, json?: unknown): Promise<JobInfo> {
  return await (await app.call("POST", path, { token, json, headers })).json();
}

async function listed(): Promise<string[]> {
  const { items } = await (await app.call("GET", "/api/trash", { token })).json();
  return items.map(({ path }: { path: string }) => path);
}

Deno.test("a mount point, and a folder that holds one, can't go to the trash", async () => {
  const answer = await app.call("DELETE", "/api/resources/disk?trash=true", { token });
  await assertRefused(answer, 501, "no_trash");
  assert.equal(text("disk/a/f.txt"), "F");
  assert.deepEqual(await listed(), []);
});

Deno.test("a folder in which a disk was mounted a moment ago can't go to the trash", async () => {
  Deno.mkdirSync(join(folder.path, "holder/late"), { recursive: true });
  assert.ok(mounts.isKnown);
  await using _late = await mountMemory(join(folder.path, "holder/late"), "size=1m");
  const answer = await app.call("DELETE", "/api/resources/holder?trash=true", { token });
  await assertRefused(answer, 501, "no_trash");
});

Deno.test("an entry of another disk goes to the trash there, and comes back as it was", async () => {
  const { ino } = Deno.statSync(join(folder.path, "disk/a"));
  const place = await remove("/disk/a");
  const id = place.split("/").at(-1) ?? "";
  assert.equal(text(`disk/.cubby-trash/${id}/a/f.txt`), "F");
  assert.deepEqual(await listed(), ["/disk/a"]);
  await assertStatus(await app.call("POST", place, { token }), 200);
  assert.equal(text("disk/a/g.txt"), "G");
  assert.equal(Deno.statSync(join(folder.path, "disk/a")).ino, ino, "it was copied");
});

Deno.test("on a disk that became read-only all is refused, and nothing is lost or forgotten", async () => {
  const place = await remove("/disk/a/f.txt");
  const entry = { path: "/disk/a/g.txt", destination: "/disk/a/h.txt" };
  const moved = await job("/api/jobs", { action: "move", entries: [entry] });
  assert.equal(moved.undo, "all");
  await mount("-o", "remount,ro", disk.path);
  try {
    const refused: [string, string, string?][] = [
      ["POST", place],
      ["DELETE", place],
      ["DELETE", "/api/trash"],
      ["DELETE", "/api/resources/disk/a/h.txt?trash=true"],
      ["DELETE", "/api/resources/disk/a/h.txt?trash=false"],
      ["PUT", "/api/resources/disk/a/h.txt", "saved"],
    ];
    for (const [method, path, body] of refused) {
      const answer = await app.call(method, path, { token, body });
      await assertRefused(answer, 403, "read_only");
    }
    const { failures, undo } = await job(`/api/jobs/${moved.id}/undo`);
    assert.deepEqual([failures.map(({ code }) => code), undo], [["read_only"], "part"]);
    assert.deepEqual(await listed(), ["/disk/a/f.txt"]);
    assert.equal(text("disk/a/h.txt"), "G");
  } finally {
    await mount("-o", "remount,rw", disk.path);
  }
  await assertStatus(await app.call("POST", place, { token }), 200);
  assert.deepEqual((await job(`/api/jobs/${moved.id}/undo`)).failures, []);
  assert.deepEqual([text("disk/a/f.txt"), text("disk/a/g.txt")], ["F", "G"]);
  assert.deepEqual(await trashFaults(folder.path, app.cubby.store), []);
  assert.deepEqual(await leftovers(folder.path, app.cubby.store), []);
});

Deno.test("a disk that is away keeps what is recorded of it, and the rest is emptied", async () => {
  await using other = await temporaryFolder();
  const point = join(folder.path, "other");
  Deno.mkdirSync(point);
  const unmount = () => new Deno.Command("umount", { args: ["-l", point] }).output();
  await mount("--bind", other.path, point);
  try {
    await plant(folder.path, { "here.txt": "H" });
    await plant(point, { "there.txt": "T" });
    assert.ok(mounts.isPointNow(point), "the server sees it at once");
    await remove("/here.txt");
    const place = await remove("/other/there.txt");
    await unmount();
    for (const [method, path] of [["POST", place], ["DELETE", place], ["DELETE", "/api/trash"]]) {
      const answer = await app.call(method ?? "", path ?? "", { token });
      const message = await assertRefused(answer, 500, "disk_away");
      assert.match(message, /its disk is not mounted$/);
    }
    assert.deepEqual(await listed(), ["/other/there.txt"]);
    Deno.removeSync(point);
    await assertRefused(await app.call("DELETE", "/api/trash", { token }), 500, "disk_away");
    assert.deepEqual(await listed(), ["/other/there.txt"]);
    Deno.mkdirSync(point);
    await mount("--bind", other.path, point);
    await assertStatus(await app.call("POST", place, { token }), 200);
    assert.equal(text("other/there.txt"), "T");
    assert.deepEqual(await listed(), []);
  } finally {
    // It may not be mounted any more.
    await unmount();
  }
});
