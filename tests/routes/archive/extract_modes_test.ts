/** What is extracted or uploaded has the permission to run and the time that it should have. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sevenZips } from "../../support/data/packed_archives.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ config: { webdav: true } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const at = (path: string) => join(app.root, path);
const modeOf = (path: string) => (Deno.statSync(at(path)).mode ?? 0) & 0o7777;
const before1970 = Date.UTC(1955, 10, 5, 6, 15);

async function run(entry: object, action: string): Promise<void> {
  const answer = await app.call("POST", "/api/jobs", {
    token,
    json: { action, entries: [entry] },
    headers: { prefer: "respond-async, wait=60" },
  });
  const job = await answer.json();
  assert.deepEqual([job.state, job.failures], ["done", []]);
}

const modes = {
  "run.sh": 0o755,
  "mine.sh": 0o744,
  "root.sh": 0o4755,
  "key": 0o600,
  "tool": 0o700,
  "text": 0o644,
  "closed": 0o000,
};

/** Extracts an archive with these files, and looks at what they have got. */
async function assertModes(archive: string): Promise<void> {
  await run({ path: `/${archive}`, destination: `/${archive}-out` }, "extract");
  Deno.writeTextFileSync(at("usual"), "");
  const usual = modeOf("usual");
  const reads = (usual & 0o444) >> 2;
  const found = Object.keys(modes).map((name) => modeOf(`${archive}-out/${name}`));
  assert.deepEqual(found, [
    usual | reads,
    usual | 0o100,
    usual | reads,
    usual & 0o700,
    (usual & 0o700) | 0o100,
    usual,
    usual,
  ]);
}

const formats = ["zip", "tar", "tar.gz", "tar.xz"];

for (const format of formats) {
  Deno.test(`files of an extracted ${format} can be run as in it, and none is set-uid`, async () => {
    const top = `modes-${format}`;
    await Deno.mkdir(at(top));
    for (const [name, mode] of Object.entries(modes)) {
      Deno.writeTextFileSync(at(`${top}/${name}`), name);
      Deno.chmodSync(at(`${top}/${name}`), mode);
    }
    await run({ path: `/${top}`, destination: `/${top}.a`, format }, "archive");
    await assertModes(`${top}.a`);
  });
}

Deno.test("files of an extracted 7z can be run as in it, and none is set-uid", async () => {
  Deno.writeFileSync(at("modes.7z"), sevenZips.modes);
  await assertModes("modes.7z");
  assert.equal(Deno.readTextFileSync(at("modes.7z-out/run.sh")), "run.sh");
});

Deno.test("a time before 1970 is kept by uploads, copies, and tars", async () => {
  const put = await app.call("POST", `/api/resources/old.txt?modified=${before1970}`, {
    token,
    body: "x",
  });
  await assertStatus(put, 200);
  const begun = await app.call("POST", "/api/tus/older.txt", {
    token,
    headers: {
      "upload-length": "1",
      "upload-metadata": `lastModified ${btoa(String(before1970))}`,
    },
  });
  await assertStatus(begun, 201);
  const authorization = `Basic ${btoa(`admin:${app.admin.password}`)}`;
  const dav = await app.call("PUT", "/dav/oldest.txt", {
    body: "x",
    headers: { authorization, "x-oc-mtime": String(before1970 / 1000) },
  });
  await assertStatus(dav, 201);
  const timeOf = (path: string) => Deno.statSync(at(path)).mtime?.getTime();
  const empty = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const sent = await app.call("PATCH", "/api/tus/older.txt", {
    token,
    headers: empty,
    body: "x",
  });
  await assertStatus(sent, 204);
  for (const name of ["old", "older", "oldest"]) assert.equal(timeOf(`${name}.txt`), before1970);
  Deno.mkdirSync(at("times"));
  Deno.writeTextFileSync(at("times/a"), "a");
  Deno.utimeSync(at("times/a"), before1970 / 1000, before1970 / 1000);
  const copied = await app.call(
    "PATCH",
    "/api/resources/times?action=copy&destination=/twin",
    { token },
  );
  await assertStatus(copied, 200);
  assert.equal(timeOf("twin/a"), before1970);
  await run({ path: "/times", destination: "/times.tar", format: "tar" }, "archive");
  await run({ path: "/times.tar", destination: "/out" }, "extract");
  assert.equal(timeOf("out/a"), before1970);
});
