/**
 * Documents that LibreOffice changes as the editor of an office server: opened by a token, locked,
 * read, changed, saved in chunks, closed.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { editorsOf, startOfficeServer } from "../support/office/office_server.ts";
import { ensureLibreOffice, startLibreOffice } from "../support/office/libre_office.ts";
import { requestHead, sendRaw } from "../support/clients/raw_http.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { startApp } from "../support/server/app.ts";
import { assertStatus } from "../support/server/refused.ts";

await ensureLibreOffice("documents in an office server");
const office = await startOfficeServer();
const app = await startApp({ config: { office: { url: office.url, publicUrl: office.url } } });
const address = app.listen();
const libreOffice = await startLibreOffice();
const folder = await temporaryFolder();
Deno.test.afterAll(async () => {
  await libreOffice[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await app.close();
  await office[Symbol.asyncDispose]();
});
const { token } = await app.addUser("ada");
const { open } = editorsOf(app, office);

/** Pieces in which a body is sent, in bytes. */
const pieceBytes = 1_000;

/** A body in the chunks of HTTP, whose length is not known before. */
function* chunksOf(body: Uint8Array<ArrayBuffer>): Generator<string | Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    const piece = body.slice(at, at + pieceBytes);
    yield `${piece.length.toString(16)}\r\n`;
    yield piece;
    yield "\r\n";
  }
  yield "0\r\n\r\n";
}

const versionsOf = async (path: string, of = token) =>
  (await (await app.call("GET", `/api/trash?versions=${path}`, { token: of })).json()).items;

for (const ext of ["odt", "docx", "ods", "xlsx", "odp", "pptx"]) {
  Deno.test(`LibreOffice changes a document of ${ext}, and nothing of it is lost`, async () => {
    const name = `Überblick #1.${ext}`;
    const file = join(app.root, name);
    await libreOffice.make(file, "as it was");
    const editor = await open(`/${encodeURIComponent(name)}`, token);
    assert.equal(editor.right, "edit");
    const info = await (await editor.info()).json();
    assert.deepEqual([info.BaseFileName, info.UserCanWrite], [name, true]);
    await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
    const read = await (await editor.read()).bytes();
    assert.equal(read.length, info.Size);

    const copy = join(folder.path, `copy.${ext}`);
    await Deno.writeFile(copy, read);
    await libreOffice.change(copy, "by the editor");
    const changed = await Deno.readFile(copy);
    await assertStatus(await editor.operate("REFRESH_LOCK", { lock: "L" }), 200);

    const path = `${editor.path}/contents?access_token=${editor.token}`;
    const head = requestHead("POST", path, {
      ...await office.proofOf(editor.token, `http://cubby.test${path}`),
      "x-wopi-override": "PUT",
      "x-wopi-lock": "L",
      "transfer-encoding": "chunked",
      connection: "close",
    });
    const saved = await sendRaw(address, head, ...chunksOf(changed));
    assert.equal(saved.status, 200, saved.body);
    const after = await (await editor.info()).json();
    assert.equal(saved.headers.get("x-wopi-itemversion")?.trim(), after.Version);
    assert.notEqual(after.Version, info.Version);
    await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);

    assert.deepEqual(await Deno.readFile(file), changed);
    const texts = (await libreOffice.read(file)).join("\n");
    assert.match(texts, /as it was/);
    assert.match(texts, /by the editor/);
    const [version, ...others] = await versionsOf(`/${encodeURIComponent(name)}`);
    assert.equal(others.length, 0);
    const former = await app.call("GET", `/api/trash/${version.id}`, { token });
    assert.deepEqual(await former.bytes(), read, "the former version");
  });
}

Deno.test("two who edit one document save in turns under one lock, by LibreOffice", async () => {
  const file = join(app.root, "both.odt");
  await libreOffice.make(file, "start");
  const other = await app.addUser("eve");
  const ada = await open("/both.odt", token);
  const eve = await open("/both.odt", other.token);
  assert.equal(ada.path, eve.path);
  await assertStatus(await ada.operate("LOCK", { lock: "L" }), 200);
  const copy = join(folder.path, "both.odt");
  await Deno.writeFile(copy, await (await ada.read()).bytes());
  for (const [editor, text] of [[ada, "of Ada"], [eve, "of Eve"], [ada, "of Ada again"]] as const) {
    await libreOffice.change(copy, text);
    await assertStatus(await editor.save(await Deno.readFile(copy), { lock: "L" }), 200, text);
  }
  await assertStatus(await eve.operate("UNLOCK", { lock: "L" }), 200);
  const texts = (await libreOffice.read(file)).join();
  assert.match(texts, /start[^]*of Ada[^]*of Eve[^]*of Ada again/);
  // Each has what the own saves have replaced.
  assert.equal((await versionsOf("/both.odt")).length, 2);
  assert.equal((await versionsOf("/both.odt", other.token)).length, 1);
});
