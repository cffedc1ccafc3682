/** Ids on a disk without birth times, where a new file gets the inode of the one that went last. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { davClient } from "../../support/clients/dav.ts";
import { mountOldDisk } from "../../support/disks/memory_disk.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { propertyIn, propfind, responsesIn } from "./client_answers.ts";

const app = await startApp({ config: { syncClients: true }, tree: { old: {}, here: {} } });
Deno.test.afterAll(app.close);
const prefix = "/remote.php/dav/files/admin";
const client = davClient(app, "admin", prefix);

async function idOf(path: string): Promise<string> {
  const headers = { depth: "0" };
  const answer = await client("PROPFIND", path, { headers, body: propfind("oc:fileid") });
  const [xml = ""] = responsesIn(await answer.text()).values();
  return propertyIn(xml, "oc:fileid") ?? "";
}

const inodeOf = async (path: string) => (await Deno.stat(join(app.root, path))).ino;
const put = async (path: string, status: number) =>
  await assertStatus(await client("PUT", path, { body: crypto.randomUUID() }), status, path);
const drop = async (path: string) =>
  await assertStatus(await client("DELETE", `${path}?trash=false`), 204, path);

Deno.test("without birth times, no file gets the id of one that was deleted or replaced", async () => {
  await using _disk = await mountOldDisk(join(app.root, "old"), `${app.root}.img`);
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, trash: { ...settings.trash, versions: false } });
  const seen = new Set<string>();
  const inodes = new Set<number | null>();
  let created = 0;
  let last: number | null = null;
  const isReused = (inode: number | null) => last === inode;
  const note = async (path: string) => {
    const id = await idOf(path);
    assert.ok(!seen.has(id), `${path} has the id of another file`);
    seen.add(id);
    last = await inodeOf(path);
    inodes.add(last);
    created++;
  };
  for (let round = 0; round < 5; round++) {
    await put(`/old/${round}.txt`, 201);
    await note(`/old/${round}.txt`);
    await drop(`/old/${round}.txt`);
    await assertStatus(await client("MKCOL", `/old/folder${round}`), 201);
    await note(`/old/folder${round}`);
    await drop(`/old/folder${round}`);
  }
  assert.ok(inodes.size < created, "inodes are used again");
  const token = await app.tokenOf("admin");
  for (let round = 0; round < 5; round++) {
    await put("/old/trashed.txt", 201);
    await note("/old/trashed.txt");
    const path = "/api/resources/old/trashed.txt?trash=true";
    await assertStatus(await app.call("DELETE", path, { token }), 200);
    await assertStatus(await app.call("DELETE", "/api/trash", { token }), 200);
  }
  await put("/old/kept.txt", 201);
  const kept = await idOf("/old/kept.txt");
  const former = await inodeOf("old/kept.txt");
  await note("/old/kept.txt");
  await put("/old/kept.txt", 204);
  assert.equal(await idOf("/old/kept.txt"), kept);
  // The inode is free once the disk has let go of the former file.
  let others = 0;
  while (!isReused(former)) {
    assert.ok(others++ < 200, "the inode of the replaced file is that of a new one");
    await put(`/old/other ${others}.txt`, 201);
    await note(`/old/other ${others}.txt`);
  }
  const destination = `http://cubby.test${prefix}/here/kept.txt`;
  await assertStatus(await client("MOVE", "/old/kept.txt", { headers: { destination } }), 201);
  assert.equal(await idOf("/here/kept.txt"), kept);
  await put("/old/kept.txt", 201);
  await note("/old/kept.txt");
  assert.equal(await idOf("/here/kept.txt"), kept);
});
