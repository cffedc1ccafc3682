// With two threads, too: rooms are in one thread, and their members in any.
import assert from "node:assert/strict";
import { join } from "node:path";
import * as awareness from "y-protocols/awareness";
import * as Y from "yjs";
import { awarenessMessage, maxMessageBytes, textName } from "../../../lib/shared/coediting.ts";
import { Editor, type EditorOptions } from "../../support/clients/coediting.ts";
import { frame, opcode, openRaw } from "../../support/clients/raw_websocket.ts";
import { startApp, type TestUser } from "../../support/server/app.ts";

const app = await startApp({
  config: { webdav: true },
  tree: {
    anna: { "a.txt": "a", ".hidden": "h", shared: { "in.txt": "in" } },
    bea: { "b.txt": "b" },
  },
});
Deno.test.afterAll(app.close);
Deno.test.afterEach(() => app.cubby.coediting.settle());
const listener = app.listen();
const { url } = listener;
const rules = [{ allow: false, regex: false, path: "/secret", regexp: { raw: "" } }];
const named = (name: string, user: TestUser = {}) => app.addUser(name, { scope: "/anna", ...user });
const anna = await named("anna");
const bob = await named("bob");
const reader = await named("reader", {
  hideDotfiles: true,
  perm: { modify: false, create: false, rename: false, delete: false },
});
const blind = await named("blind", { perm: { download: false } });
let files = 0;

/** A new file with a text. */
async function plant(text = "text"): Promise<string> {
  const name = `file${files++}.txt`;
  await Deno.writeTextFile(join(app.root, "anna", name), text);
  return name;
}
const contentOf = (name: string) => Deno.readTextFile(join(app.root, "anna", name));
const open = (name: string, token: string | undefined, more: Partial<EditorOptions> = {}) =>
  new Editor({ url, address: `coediting/${name}`, token, ...more });

Deno.test("coediting: no path leads out of the scope, and nothing hidden opens", async () => {
  for (
    const [path, token, codes] of [
      ["..%2fbea%2fb.txt", anna.token, ["invalid_path"]],
      ["%2e%2e/bea/b.txt", anna.token, ["not_found", "invalid_path"]],
      ["%00", anna.token, ["invalid_path"]],
      ["bea/b.txt", anna.token, ["not_found"]],
      [".hidden", reader.token, ["not_found", "forbidden"]],
      ["a.txt", blind.token, ["forbidden"]],
      ["", anna.token, ["is_folder"]],
    ] as const
  ) {
    await using editor = open(path, token);
    await editor.until("closed", () => editor.code !== null);
    const code = editor.ended.at(-1)?.code ?? "invalid_path";
    assert.ok(codes.some((each) => each === code), `${path}: ${code}`);
    assert.equal(editor.text, "");
  }
  assert.ok(rules.length > 0);
});

Deno.test("coediting: a page of another site opens no socket, with whatever cookie", async () => {
  for (const origin of ["http://evil.test", "null", "http://cubby.test.evil"]) {
    const headers = { "x-auth": anna.token, origin };
    await assert.rejects(openRaw(listener, "/api/coediting/a.txt", headers), / 403 /);
  }
  await assert.rejects(openRaw(listener, "/api/coediting/a.txt", {}), / 401 /);
});

Deno.test("coediting: changes of one who only views are never applied, and too many end it", async () => {
  const name = await plant();
  await using one = open(name, anna.token);
  await using two = open(name, reader.token);
  await Promise.all([one.synced(), two.synced()]);
  for (let count = 0; count < 30; count++) two.type("x");
  assert.equal((await two.end())?.code, "read_only");
  one.type("!");
  await one.allKept();
  assert.equal(one.text, "text!");
});

Deno.test("coediting: no one speaks for another: cursors and changes in another's name", async () => {
  const name = await plant();
  await using one = open(name, anna.token);
  await using two = open(name, bob.token);
  await using three = open(name, anna.token);
  await Promise.all([one.synced(), two.synced(), three.synced()]);
  one.point();
  await three.until("one", () => three.awareness.getStates().has(one.doc.clientID));
  const forger = new awareness.Awareness(new Y.Doc());
  clearInterval(Reflect.get(forger, "_checkInterval"));
  forger.doc.clientID = forger.clientID = one.doc.clientID;
  forger.setLocalState({ user: { name: "forged" }, cursor: null });
  forger.setLocalState({ user: { name: "forged" }, cursor: null });
  two.send(awarenessMessage(awareness.encodeAwarenessUpdate(forger, [one.doc.clientID])));
  two.point();
  await three.until("two", () => three.awareness.getStates().has(two.doc.clientID));
  const nameOf = (editor: Editor) =>
    three.awareness.getStates().get(editor.doc.clientID)?.user.name;
  assert.deepEqual([nameOf(one), nameOf(two)], ["anna", "bob"]);
  const forged = new Y.Doc();
  Y.applyUpdate(forged, Y.encodeStateAsUpdate(two.doc));
  forged.clientID = one.doc.clientID;
  const before = Y.encodeStateVector(forged);
  forged.getText(textName).insert(0, "forged");
  two.sendUpdate(Y.encodeStateAsUpdate(forged, before));
  assert.equal((await two.end())?.code, "forbidden");
  for (const doc of [forged, forger.doc]) doc.destroy();
  one.type("!");
  await one.allKept();
  assert.equal(one.text, "text!");
});

Deno.test("coediting: what is no change of the text closes the socket, and the text stays", async () => {
  const name = await plant();
  await using one = open(name, anna.token);
  await one.synced();
  const map = new Y.Doc();
  map.getMap("other").set("a", "b");
  const embed = new Y.Doc();
  embed.getText(textName).insertEmbed(0, { image: "x" });
  const formatted = new Y.Doc();
  formatted.getText(textName).insert(0, "x", { bold: true });
  const attacks: ((editor: Editor) => void)[] = [
    (editor) => editor.send("text"),
    (editor) => editor.send(Uint8Array.of(9, 9, 9)),
    (editor) => editor.send(new Uint8Array()),
    (editor) => editor.send(Uint8Array.of(0, 2, 255, 255, 255, 255, 15)),
    (editor) => editor.send(Uint8Array.of(0, 7, 0)),
    (editor) => editor.send(Uint8Array.of(0, 0, 3, 255, 255, 255)),
    (editor) => editor.send(Uint8Array.of(1, 3, 1, 2, 3)),
    (editor) => editor.send(Uint8Array.of(4, 2, 123, 125)),
    (editor) => editor.sendUpdate(crypto.getRandomValues(new Uint8Array(300))),
    ...[map, embed, formatted].map((doc) => (editor: Editor) =>
      editor.sendUpdate(Y.encodeStateAsUpdate(doc))
    ),
  ];
  for (const [number, attack] of attacks.entries()) {
    await using two = open(name, bob.token);
    await two.synced();
    attack(two);
    const code = (await two.end())?.code;
    assert.equal(code, "invalid_body", `attack ${number}: ${code}`);
  }
  for (const doc of [map, embed, formatted]) doc.destroy();
  one.type("!");
  await one.allKept();
  assert.equal(one.text, "text!");
});

Deno.test("coediting: floods, long messages and long texts are cut off, for the sender alone", async () => {
  const name = await plant();
  await using one = open(name, anna.token);
  await one.synced();
  {
    await using two = open(name, bob.token);
    await two.synced();
    for (let count = 0; count < 2_000; count++) two.point();
    assert.equal((await two.end())?.code, "throttled");
  }
  {
    await using two = open(name, bob.token);
    await two.synced();
    two.type("x".repeat(2 * 1024 ** 2));
    assert.equal((await two.end())?.code, "body_too_large");
  }
  {
    const headers = { "x-auth": bob.token };
    using raw = await openRaw(listener, `/api/coediting/${name}`, headers);
    const chunk = new Uint8Array(256 * 1024);
    await raw.send(frame(opcode.binary, chunk, false));
    let sent = chunk.length;
    while (sent < 8 * maxMessageBytes && await raw.send(frame(opcode.more, chunk, false))) {
      sent += chunk.length;
    }
    assert.equal(await raw.closeCode(), 1009);
  }
  {
    await using two = open(name, bob.token);
    await two.synced();
    const { cursor } = { cursor: { anchor: { tname: "x".repeat(5_000) }, head: {} } };
    two.point({ cursor });
    two.type("?");
    await one.until("typed", () => one.text.endsWith("?"));
    assert.ok(!one.awareness.getStates().has(two.doc.clientID));
  }
  one.type("!");
  await one.allKept();
  assert.equal(one.text, "text?!");
});

Deno.test("coediting: signing out ends it, and what was written before is saved", async () => {
  const name = await plant();
  const token = await app.tokenOf("bob");
  await using one = open(name, token);
  await one.synced();
  one.type("!");
  await one.allKept();
  const out = await app.call("POST", "/api/logout", { token });
  assert.ok(out.ok);
  one.type("never");
  assert.equal((await one.end())?.code, "not_signed_in");
  await app.cubby.coediting.settle();
  await using two = open(name, anna.token);
  await two.synced();
  assert.equal(two.text, "text!");
  await two.until("saved", () => Deno.readTextFileSync(join(app.root, "anna", name)) === "text!");
});

Deno.test("coediting: a right that is taken away ends the changes at once", async () => {
  const name = await plant();
  const { user, token } = await named("former");
  await using one = open(name, anna.token);
  await using two = open(name, token);
  await Promise.all([one.synced(), two.synced()]);
  two.type("1");
  await two.allKept();
  await app.cubby.users.update(user.id, { perm: { ...user.perm, modify: false } });
  two.type("2");
  // Other rights end the sessions of a user.
  assert.equal((await two.end())?.code, "not_signed_in");
  one.type("!");
  await one.allKept();
  assert.equal(one.text.replace("!", ""), "text1");
});

Deno.test("coediting: a share gives what it says, and ends the sockets with it", async () => {
  const audience = [{ name: "bea", may: "edit" }];
  const bea = await app.addUser("bea", { scope: "/bea" });
  const shared = await app.call("POST", "/api/share/shared", {
    token: anna.token,
    json: { audience, anyone: true },
  });
  const { hash } = await shared.json();
  const visit = (path: string, token?: string, query = {}) =>
    new Editor({ url, address: `public/coediting/${hash}${path}`, token, query });
  for (const path of ["/..%2fa.txt", "/%2e%2e/a.txt", "/none.txt"]) {
    await using editor = visit(path, bea.token);
    await editor.until("closed", () => editor.code !== null);
    assert.equal(editor.text, "", path);
  }
  await using one = visit("/in.txt", bea.token);
  await using two = visit("/in.txt", undefined, {
    name: "\u202eEve\u0000 \n\t of <b>" + "x".repeat(99),
  });
  await Promise.all([one.synced(), two.synced()]);
  await one.until("both", () => one.present.length === 2);
  const guest = one.present.find(({ name }) => name !== "bea");
  assert.equal(guest?.right, "view");
  assert.match(guest?.name ?? "", /^Eve of <b>x{30}$/);
  assert.equal(guest?.guest, true);
  one.type("!");
  await two.until("followed", () => two.text === "in!");
  two.type("never");
  await two.until("refused", () => two.ended.some(({ code }) => code === "read_only"));
  await one.allKept();
  one.saveNow();
  await one.until("saved", () => one.saved?.by.includes("bea") ?? false);
  await app.call("DELETE", `/api/share/${hash}`, { token: anna.token });
  const codes = await Promise.all([one.end(), two.end()]);
  assert.deepEqual(codes.map((ended) => ended?.code), ["not_found", "not_found"]);
  assert.equal(await contentOf("shared/in.txt"), "in!");
});

Deno.test("coediting: what does not fit the quota is told, kept, and saved once it fits", async () => {
  await Deno.mkdir(join(app.root, "small"));
  await Deno.writeTextFile(join(app.root, "small", "q.txt"), "text");
  const quota = { bytes: 100, files: 10 };
  const small = await app.addUser("small", { scope: "/small", quota });
  await using one = open("q.txt", small.token);
  await one.synced();
  one.type("x".repeat(500));
  await one.until("refused", () => one.ended.some(({ code }) => code === "over_quota"));
  assert.equal(one.ended[0]?.closing, false);
  await one.allKept();
  assert.equal(await Deno.readTextFile(join(app.root, "small", "q.txt")), "text");
  one.remove(0, 500);
  one.saveNow();
  await one.until("saved", () => one.saved?.by.includes("small") ?? false);
  assert.equal(await Deno.readTextFile(join(app.root, "small", "q.txt")), "xxxx");
});

Deno.test("coediting: what a program has locked is not written, and saved once it is free", async () => {
  const name = await plant();
  await using one = open(name, anna.token);
  await one.synced();
  const basic = `Basic ${btoa("bob:otters hold 9 hands")}`;
  const body = '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>' +
    "<D:locktype><D:write/></D:locktype></D:lockinfo>";
  const lock = await app.call("LOCK", `/dav/${name}`, { headers: { authorization: basic }, body });
  assert.equal(lock.status, 200);
  one.type("!");
  await one.allKept();
  await one.until("locked", () => one.ended.some(({ code }) => code === "locked"));
  assert.equal(await contentOf(name), "text");
  const headers = { authorization: basic, "lock-token": lock.headers.get("lock-token") ?? "" };
  assert.equal((await app.call("UNLOCK", `/dav/${name}`, { headers })).status, 204);
  one.saveNow();
  await one.until("saved", () => one.saved?.by.includes("anna") ?? false);
  assert.equal(await contentOf(name), "text!");
});

Deno.test("coediting: a page that comes again takes the seat of its dead connection", async () => {
  const name = await plant();
  await using one = open(name, anna.token);
  await using two = open(name, bob.token, { query: { page: "page1" } });
  await Promise.all([one.synced(), two.synced()]);
  two.point();
  await one.until("pointed", () => one.awareness.getStates().has(two.doc.clientID));
  await using again = open(name, bob.token, { query: { page: "page1" }, doc: two.doc });
  await again.synced();
  assert.equal((await two.end())?.code, "exists");
  await one.until("two are in", () => one.present.length === 2);
  again.point();
  await one.until("pointed again", () => one.awareness.getStates().has(again.doc.clientID));
  await using stranger = open(name, anna.token, { query: { page: "page1" } });
  await stranger.synced();
  assert.equal(again.code, null);
});

Deno.test("coediting: who leaves has no seat any more, in whichever thread it was", async () => {
  const name = await plant();
  await using one = open(name, anna.token);
  await one.synced();
  for (let count = 0; count < 6; count++) {
    await using two = open(name, bob.token);
    await two.synced();
    await one.until("both are in", () => one.present.length === 2);
    await two.leave();
    await one.until("alone", () => one.present.length === 1);
  }
});
