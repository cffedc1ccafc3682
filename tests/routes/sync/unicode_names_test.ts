/** Names with composed (NFC) and decomposed letters (NFD), which macOS takes for the same. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { davClient } from "../../support/clients/dav.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { propertyIn, propfind, responsesIn } from "./client_answers.ts";

const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];
const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: { disk: { [`${decomposed}.txt`]: "D", [decomposed]: { "in.txt": "in" } }, sent: {} },
});
Deno.test.afterAll(app.close);
const files = "/remote.php/dav/files/admin";
const client = davClient(app, "admin", files);

/** The names in a folder, with their ids and ETags, as a client lists them. */
async function list(path: string): Promise<Map<string, string>> {
  const body = propfind("oc:fileid", "d:getetag");
  const answer = await client("PROPFIND", `${path}/`, { headers: { depth: "1" }, body });
  assert.equal(answer.status, 207);
  const [, ...entries] = responsesIn(await answer.text());
  return new Map(entries.map(([href, xml]) => [
    decodeURIComponent(href.slice(`${files}${path}/`.length)),
    `${propertyIn(xml, "oc:fileid")} ${propertyIn(xml, "d:getetag")}`,
  ]));
}

const at = (folder: string, name: string) => `${folder}/${encodeURIComponent(name)}`;
const read = async (path: string) => await (await client("GET", path)).text();

Deno.test("a name in NFD on the disk is listed and reached as it is, again and again", async () => {
  const listed = await list("/disk");
  assert.deepEqual([...listed.keys()].sort(), [`${decomposed}.txt`, `${decomposed}/`].sort());
  assert.equal(await read(at("/disk", `${decomposed}.txt`)), "D");
  assert.equal(await read(`${at("/disk", decomposed)}/in.txt`), "in");
  await assertStatus(await client("GET", at("/disk", `${composed}.txt`)), 404);
  assert.deepEqual(await list("/disk"), listed, "a second sync finds nothing new");
});

Deno.test("of a file in NFC and one in NFD neither takes the place of the other", async () => {
  for (const [name, body] of [[composed, "C"], [decomposed, "D"]] as const) {
    await assertStatus(await client("PUT", at("/sent", `${name}.txt`), { body }), 201, name);
  }
  const listed = await list("/sent");
  assert.deepEqual([...listed.keys()].sort(), [`${composed}.txt`, `${decomposed}.txt`].sort());
  assert.equal(new Set(listed.values()).size, 2, "each has an id of its own");
  assert.equal(await read(at("/sent", `${composed}.txt`)), "C");
  assert.equal(await read(at("/sent", `${decomposed}.txt`)), "D");
  assert.deepEqual(await list("/sent"), listed, "a second sync finds nothing new");
  const headers = { overwrite: "F", destination: files + at("/sent", `${decomposed}.txt`) };
  await assertStatus(await client("MOVE", at("/sent", `${composed}.txt`), { headers }), 412);
  await assertStatus(await client("DELETE", at("/sent", `${composed}.txt`)), 204);
  assert.deepEqual([...(await list("/sent")).keys()], [`${decomposed}.txt`]);
  assert.equal(await Deno.readTextFile(join(app.root, "sent", `${decomposed}.txt`)), "D");
});

Deno.test("a rename from NFD to NFC keeps the file and its id", async () => {
  await assertStatus(await client("MKCOL", "/renamed"), 201);
  await assertStatus(await client("PUT", at("/renamed", decomposed), { body: "x" }), 201);
  const idOf = async (name: string) => (await list("/renamed")).get(name)?.split(" ")[0];
  const id = await idOf(decomposed);
  const headers = {
    overwrite: "F",
    destination: `http://cubby.test${files}${at("/renamed", composed)}`,
  };
  await assertStatus(await client("MOVE", at("/renamed", decomposed), { headers }), 201);
  assert.equal(await idOf(composed), id);
  assert.equal(await read(at("/renamed", composed)), "x");
  assert.deepEqual([...(await list("/renamed")).keys()], [composed]);
});

Deno.test("chunks and bulk uploads write the name as it was sent", async () => {
  await assertStatus(await client("MKCOL", "/parts"), 201);
  const uploads = "/remote.php/dav/uploads/admin/nfd";
  const by = davClient(app, "admin", "");
  const destination = `http://cubby.test${files}${at("/parts", decomposed)}`;
  await assertStatus(await by("MKCOL", uploads, { headers: { destination } }), 201);
  const headers = { "content-length": "1" };
  await assertStatus(await by("PUT", `${uploads}/1`, { headers, body: "x" }), 201);
  await assertStatus(await by("MOVE", `${uploads}/.file`, { headers: { destination } }), 201);
  const body = `--b\r\nX-File-Path: /parts/${composed}\r\n` +
    "X-File-MD5: 9dd4e461268c8034f5c8564e155c67a6\r\nContent-Length: 1\r\n\r\nx\r\n--b--\r\n";
  const sent = await by("POST", "/remote.php/dav/bulk", {
    headers: { "content-type": "multipart/related; boundary=b" },
    body,
  });
  assert.equal(sent.status, 200, await sent.text());
  assert.deepEqual([...(await list("/parts")).keys()].sort(), [composed, decomposed].sort());
});
