/**
 * One table of locks: what holds a document (an office server, a WebDAV client, an editor's
 * If-Match, nothing) against every change of it, by pages, calls, WebDAV, shares and jobs.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { editorsOf, startOfficeServer } from "../../support/office/office_server.ts";
import { davClient } from "../../support/clients/dav.ts";
import { plant } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";

const office = await startOfficeServer();
const app = await startApp({
  config: { webdav: true, office: { url: office.url, publicUrl: office.url } },
});
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
const { token } = await app.addUser("ada");
await app.addUser("eve");
const eve = await app.tokenOf("eve");
const { open } = editorsOf(app, office);
const dav = davClient(app, "ada");

/** A folder with a document, which has a former version, another file, and a share to edit it. */
interface Place {
  folder: string;
  /** The id of the former version. */
  version: string;
  /** The hash of the share. */
  share: string;
}

let places = 0;

async function newPlace(): Promise<Place> {
  const folder = `/p${places++}`;
  await plant(app.root, { [folder.slice(1)]: { "a.odt": "former", "other.odt": "other" } });
  const put = await call("PUT", `/api/resources${folder}/a.odt`, { body: "present" });
  await assertStatus(put, 200);
  const versions = await call("GET", `/api/trash?versions=${folder}/a.odt`);
  const [{ id }] = (await versions.json()).items;
  const json = { password: "", audience: [{ name: "eve", may: "edit" }] };
  const { hash } = await (await call("POST", `/api/share${folder}`, { json })).json();
  return { folder, version: id, share: hash };
}

const call: typeof app.call = (method, path, options) =>
  app.call(method, path, { token, ...options });

/** A job of one entry; the code of its failure as a status. */
async function job(action: string, entry: Record<string, unknown>): Promise<Response> {
  const headers = { prefer: "wait=20" };
  const answer = await call("POST", "/api/jobs", { json: { action, entries: [entry] }, headers });
  const { failures } = await answer.json();
  const status = failures.length === 0 ? 200 : failures[0].code === "locked" ? 423 : 500;
  return new Response(JSON.stringify(failures), { status });
}

/** A rename or a copy by the API. */
function transfer(action: string, from: string, to: string): Promise<Response> {
  const query = `action=${action}&destination=${encodeURIComponent(to)}&override=true`;
  return call("PATCH", `/api/resources${from}?${query}`);
}

async function byTus({ folder }: Place): Promise<Response> {
  const path = `/api/tus${folder}/a.odt?override=true`;
  const tus = { "tus-resumable": "1.0.0" };
  const made = await call("POST", path, { headers: { ...tus, "upload-length": "3" } });
  if (made.status >= 400) return made;
  await made.body?.cancel();
  const type = "application/offset+octet-stream";
  const headers = { ...tus, "upload-offset": "0", "content-type": type };
  return await call("PATCH", path, { headers, body: "tus" });
}

const destination = (path: string) => ({ destination: `http://cubby.test/dav${path}` });

/** Each change of a document, by those who do not hold it. */
const changes: Record<string, (place: Place) => Promise<Response>> = {
  "save": ({ folder }) => call("PUT", `/api/resources${folder}/a.odt`, { body: "saved" }),
  "upload over": ({ folder }) =>
    call("POST", `/api/resources${folder}/a.odt?override=true`, { body: "uploaded" }),
  "upload in parts over": byTus,
  "rename": ({ folder }) => transfer("rename", `${folder}/a.odt`, `${folder}/b.odt`),
  "move": ({ folder }) => transfer("rename", `${folder}/a.odt`, `/moved${folder.slice(1)}.odt`),
  "move of its folder": ({ folder }) => transfer("rename", folder, `${folder}-moved`),
  "move over": ({ folder }) => transfer("rename", `${folder}/other.odt`, `${folder}/a.odt`),
  "copy over": ({ folder }) => transfer("copy", `${folder}/other.odt`, `${folder}/a.odt`),
  "delete": ({ folder }) => call("DELETE", `/api/resources${folder}/a.odt`),
  "trash": ({ folder }) => call("DELETE", `/api/resources${folder}/a.odt?trash=true`),
  "delete of its folder": ({ folder }) => call("DELETE", `/api/resources${folder}`),
  "restore of a version": ({ version }) => call("POST", `/api/trash/${version}?override=true`),
  "job: move": ({ folder }) =>
    job("move", { path: `${folder}/a.odt`, destination: `${folder}/b.odt` }),
  "job: copy over": ({ folder }) =>
    job("copy", {
      path: `${folder}/other.odt`,
      destination: `${folder}/a.odt`,
      override: true,
    }),
  "job: trash": ({ folder }) => job("trash", { path: `${folder}/a.odt` }),
  "job: delete": ({ folder }) => job("delete", { path: folder }),
  "share: save": ({ share }) =>
    app.call("PUT", `/api/public/share/${share}/a.odt`, { token: eve, body: "shared" }),
  "share: rename": ({ share }) =>
    app.call("PATCH", `/api/public/share/${share}/a.odt?action=rename&destination=/b.odt`, {
      token: eve,
    }),
  "share: delete": ({ share }) =>
    app.call("DELETE", `/api/public/share/${share}/a.odt`, { token: eve }),
  "WebDAV: PUT": ({ folder }) => dav("PUT", `${folder}/a.odt`, { body: "put" }),
  "WebDAV: MOVE": ({ folder }) =>
    dav("MOVE", `${folder}/a.odt`, { headers: destination(`${folder}/b.odt`) }),
  "WebDAV: MOVE over": ({ folder }) =>
    dav("MOVE", `${folder}/other.odt`, { headers: destination(`${folder}/a.odt`) }),
  "WebDAV: COPY over": ({ folder }) =>
    dav("COPY", `${folder}/other.odt`, { headers: destination(`${folder}/a.odt`) }),
  "WebDAV: DELETE": ({ folder }) => dav("DELETE", `${folder}/a.odt`),
  "WebDAV: DELETE of its folder": ({ folder }) => dav("DELETE", folder),
  "WebDAV: LOCK": ({ folder }) => dav("LOCK", `${folder}/a.odt`, { body: lockBody }),
  "WOPI: LOCK": async ({ folder }) =>
    await (await open(`${folder}/a.odt`, eve)).operate("LOCK", { lock: "another" }),
  "WOPI: PutFile": async ({ folder }) =>
    await (await open(`${folder}/a.odt`, eve)).save("wopi", { lock: "another" }),
  "WOPI: RenameFile": async ({ folder }) =>
    await (await open(`${folder}/a.odt`, eve)).operate("RENAME_FILE", {
      lock: "another",
      headers: { "x-wopi-requestedname": "b" },
    }),
};

const lockBody = '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>' +
  "<D:locktype><D:write/></D:locktype></D:lockinfo>";

/** Holds a document. @returns how its holder saves it then */
type Holder = (place: Place) => Promise<() => Promise<Response>>;

async function byOffice({ folder }: Place) {
  const editor = await open(`${folder}/a.odt`, token);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await editor.read(), 200);
  return () => editor.save("by the holder", { lock: "L" });
}

async function byDav({ folder }: Place) {
  const locked = await dav("LOCK", `${folder}/a.odt`, { body: lockBody });
  await assertStatus(locked, 200);
  const headers = { if: `(${locked.headers.get("lock-token")})` };
  return () => dav("PUT", `${folder}/a.odt`, { body: "by the holder", headers });
}

const isThere = (path: string) => Deno.stat(join(app.root, path)).then(() => true, () => false);

/** Asserts that each change is refused while a document is held, and changes nothing. */
async function assertHolds(hold: Holder): Promise<void> {
  const place = await newPlace();
  const save = await hold(place);
  const path = `${place.folder}/a.odt`;
  for (const [name, change] of Object.entries(changes)) {
    const answer = await change(place);
    const text = await answer.text();
    const isWopi = name.startsWith("WOPI");
    assert.equal(answer.status, isWopi ? 409 : 423, `${name}: ${answer.status} ${text}`);
    assert.equal(await Deno.readTextFile(join(app.root, path)), "present", name);
    assert.ok(!await isThere(`${place.folder}/b.odt`), name);
    assert.ok(await isThere(`${place.folder}/other.odt`), name);
  }
  const saved = await save();
  const text = await saved.text();
  assert.ok(saved.ok, `the holder saves: ${saved.status} ${text}`);
  assert.equal(await Deno.readTextFile(join(app.root, path)), "by the holder");
}

Deno.test("what an office server has locked, nothing else changes, and it saves it", async () => {
  await assertHolds(byOffice);
});

Deno.test("what a WebDAV client has locked, nothing else changes, and it saves it", async () => {
  await assertHolds(byDav);
});

Deno.test("a document that nothing holds is changed by each of them", async () => {
  // PutFile needs a lock, and the office server none to rename.
  const refused = ["WOPI: PutFile"];
  for (const [name, change] of Object.entries(changes)) {
    const answer = await change(await newPlace());
    const text = await answer.text();
    if (refused.includes(name)) assert.equal(answer.status, 409, name);
    else assert.ok(answer.ok, `${name}: ${answer.status} ${text}`);
  }
});

/** Changes of the content by others, which an editor that has the file open is told when it saves. */
const contentChanges = [
  ...["save", "upload over", "move over", "copy over", "restore of a version", "share: save"],
  ...["WebDAV: PUT", "WebDAV: MOVE over", "WebDAV: COPY over", "upload in parts over"],
];

Deno.test("an editor's If-Match refuses to replace what any of them has written", async () => {
  const stale = async (change: (place: Place) => Promise<unknown>, name: string) => {
    const place = await newPlace();
    const path = `/api/resources${place.folder}/a.odt`;
    const described = await call("GET", path);
    await described.body?.cancel();
    const tag = described.headers.get("etag") ?? "";
    await change(place);
    const headers = { "if-match": tag };
    await assertStatus(await call("PUT", path, { body: "old", headers }), 412, name);
  };
  for (const name of contentChanges) {
    await stale(async (place) => assert.ok((await changes[name]?.(place))?.ok, name), name);
  }
  await stale(async (place) => {
    const save = await byOffice(place);
    await assertStatus(await save(), 200);
    const editor = await open(`${place.folder}/a.odt`, token);
    await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  }, "WOPI: PutFile");
});

Deno.test("an office server is told of each change that came while it had no lock", async () => {
  for (const name of contentChanges) {
    const place = await newPlace();
    const editor = await open(`${place.folder}/a.odt`, token);
    await assertStatus(await editor.read(), 200);
    assert.ok((await changes[name]?.(place))?.ok, name);
    await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
    const refused = await editor.save("old", { lock: "L" });
    assert.equal(refused.status, 409, name);
    assert.match((await refused.json()).message, /another program has changed the file/);
  }
});

Deno.test("an undo of a job leaves alone what an office server has locked since", async () => {
  const { folder } = await newPlace();
  const json = {
    action: "move",
    entries: [{ path: `${folder}/a.odt`, destination: `${folder}/b.odt` }],
  };
  const done = await call("POST", "/api/jobs", { json, headers: { prefer: "wait=20" } });
  const { id } = await done.json();
  const editor = await open(`${folder}/b.odt`, token);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const undone = await call("POST", `/api/jobs/${id}/undo`, { headers: { prefer: "wait=20" } });
  await undone.body?.cancel();
  assert.ok(await isThere(`${folder}/b.odt`), "it is still there");
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});
