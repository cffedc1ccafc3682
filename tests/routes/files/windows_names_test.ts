/** `--windows-names`: what is made here can be taken to Windows, by whichever way it comes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { basic, davClient } from "../../support/clients/dav.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { encodePath, parsePath } from "../../../lib/shared/path.ts";

const app = await startApp({
  config: { webdav: true, syncClients: true, windowsNames: true },
  tree: { "a.txt": "one", "old: name.txt": "former", "old.": { "b.txt": "two" }, folder: {} },
});
Deno.test.afterAll(app.close);
const dav = davClient(app);
const token = await app.tokenOf("admin");
const address = (path: string) => encodePath(parsePath(path).path);

const refused = [
  ...["CON", "con", "aux.txt", "nul.tar.gz", "COM1", "lpt9.doc", "prn .txt", "COM¹", "conin$"],
  ...["a:b", "what?.txt", "a*b", 'say "hi".txt', "<a>", "a|b", "a\\b", "bell\x07"],
  ...["dot.", "space ", "both. .", "..."],
];
const taken = [
  "console.txt",
  "auxiliary",
  "com10",
  "#%日本 `.txt",
  ".hidden",
  "a. b.txt",
  "lpt.txt",
];

Deno.test("names that Windows cannot have are refused, with the reason", async () => {
  for (const name of refused) {
    const path = address(`/folder/${name}`);
    const api = await app.call("POST", `/api/resources${path}`, { token, body: "x" });
    assert.match(await assertRefused(api, 400, "invalid_name", name), /Windows/);
    const folder = await app.call("POST", `/api/resources${path}/`, { token });
    await assertRefused(folder, 400, "invalid_name", name);
    const below = await app.call("POST", `/api/resources${path}/in.txt`, { token, body: "x" });
    await assertRefused(below, 400, "invalid_name", name);
    const query = new URLSearchParams({ action: "rename", destination: path });
    const renamed = await app.call("PATCH", `/api/resources/a.txt?${query}`, { token });
    await assertRefused(renamed, 400, "invalid_name", name);
    await assertRefused(await dav("PUT", path, { body: "x" }), 400, "invalid_name", name);
    await assertRefused(await dav("MKCOL", path), 400, "invalid_name", name);
    const headers = { destination: `/dav${path}` };
    await assertRefused(await dav("MOVE", "/a.txt", { headers }), 400, "invalid_name", name);
    await assertRefused(await dav("COPY", "/a.txt", { headers }), 400, "invalid_name", name);
  }
  const made = [...Deno.readDirSync(join(app.root, "folder"))].map(({ name }) => name);
  assert.deepEqual(refused.filter((name) => made.includes(name)), []);
});

Deno.test("an archive with such a name is not extracted, and one without is", async () => {
  for (const [name, count] of [["aux.txt", 1], ["b.txt", 0]] as const) {
    const archive = join(app.root, `${name}.tar`);
    await using source = await temporaryFolder();
    await plant(source.path, { deep: { [name]: "x" } });
    await new Deno.Command("tar", { args: ["-cf", archive, "-C", source.path, "deep"] }).output();
    const entries = [{ path: `/${name}.tar`, destination: `/extracted ${name.slice(0, 3)}` }];
    const headers = { prefer: "wait=60" };
    const begun = await app.call("POST", "/api/jobs", {
      token,
      headers,
      json: { action: "extract", entries },
    });
    const { id } = await begun.json();
    const job = await (await app.call("GET", `/api/jobs/${id}`, { token, headers })).json();
    assert.equal(job.failed, count, JSON.stringify(job));
    if (count > 0) {
      assert.match(JSON.stringify(job.failures), /Windows uses this name for a device/);
    }
  }
  assert.equal(await Deno.readTextFile(join(app.root, "extracted b.t/b.txt")), "x");
});

Deno.test("sync clients are told which names are refused, and all of these are", async () => {
  const { username, password } = app.admin;
  const headers = { authorization: basic(username, password), "ocs-apirequest": "true" };
  const answer = await app.call("GET", "/ocs/v2.php/cloud/capabilities?format=json", { headers });
  const { files } = (await answer.json()).ocs.data.capabilities;
  const names: string[] = [
    ...files.forbidden_filename_basenames.flatMap((name: string) => [name, `${name}.txt`]),
    ...files.forbidden_filename_characters.map((sign: string) => `a${sign}b`),
    ...files.forbidden_filename_extensions.map((end: string) => `a${end}`),
  ];
  assert.ok(names.length > 60);
  for (const name of names) {
    const put = await dav("PUT", address(`/folder/${name}`), { body: "x" });
    await assertRefused(put, 400, "invalid_name", name);
  }
});

Deno.test("other names are taken, and what has a former name stays in use", async () => {
  for (const name of taken) {
    await assertStatus(await dav("PUT", address(`/folder/${name}`), { body: "x" }), 201, name);
  }
  const old = address("/old: name.txt");
  await assertStatus(await dav("PUT", old, { body: "saved" }), 204);
  assert.equal(await (await dav("GET", old)).text(), "saved");
  await assertStatus(await dav("PUT", `${address("/old.")}/new.txt`, { body: "x" }), 201);

  const trashed = await app.call("DELETE", `/api/resources${old}?trash=true`, { token });
  const restored = await app.call("POST", trashed.headers.get("content-location") ?? "", { token });
  await trashed.body?.cancel();
  await assertStatus(restored, 200);
  assert.equal(await (await dav("GET", old)).text(), "saved", "restored under its name");
  const headers = { destination: "/dav/new%20name.txt" };
  await assertStatus(await dav("MOVE", old, { headers }), 201);
});
