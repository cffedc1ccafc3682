import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import { Editor, type EditorOptions } from "../../support/clients/coediting.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    anna: {
      "notes.md": "one\ntwo\n",
      "crlf.txt": "a\r\nb\r\n",
      "utf16.txt": "",
      "mixed.txt": "a\r\nb\n",
      "binary.txt": "\0\x01\x02",
      "long.txt": "x".repeat(2 * 1024 ** 2 + 1),
      folder: {},
    },
    bea: { "b.txt": "b" },
  },
});
Deno.test.afterAll(app.close);
Deno.test.afterEach(async () => {
  await app.cubby.coediting.settle();
  await Promise.all([app.cubby.audit.flush(), app.cubby.notifications.flush()]);
});
const { url } = app.listen();
const anna = await app.addUser("anna", { scope: "/anna" });
const bob = await app.addUser("bob", { scope: "/anna" });
const reader = await app.addUser("reader", {
  scope: "/anna",
  perm: { modify: false, create: false, rename: false, delete: false },
});
const place = (name: string) => join(app.root, "anna", name);
const upgrade = { upgrade: "websocket", connection: "upgrade" };
const open = (name: string, token = anna.token, more: Partial<EditorOptions> = {}) =>
  new Editor({ url, address: `coediting/${name}`, token, ...more });

Deno.test("coediting refuses what is no WebSocket, and who is not signed in", async () => {
  const ask = (path: string, token?: string) => app.call("GET", `/api/coediting${path}`, { token });
  await assertRefused(await ask("/notes.md"), 401, "not_signed_in");
  await assertRefused(await ask("/notes.md", anna.token), 400, "invalid_option");
  await assertRefused(await ask("/gone.md", anna.token), 404, "not_found");
  await assertRefused(await ask("/folder", anna.token), 409, "is_folder");
  await assertRefused(await ask("/..%2fbea/b.txt", anna.token), 400, "invalid_path");
  const long = await ask(`/notes.md?page=${"a".repeat(65)}`, anna.token);
  await assertRefused(long, 400, "invalid_option");
  const headers = { ...upgrade, origin: "http://other.test" };
  const other = app.call("GET", "/api/coediting/notes.md", { token: anna.token, headers });
  await assertRefused(await other, 403, "forbidden");
});

for (
  const [name, code] of [
    ["gone.md", "not_found"],
    ["folder", "is_folder"],
    ["mixed.txt", "not_supported"],
    ["binary.txt", "not_supported"],
    ["long.txt", "body_too_large"],
  ] as const
) {
  Deno.test(`coediting tells on the socket why ${name} cannot be edited: ${code}`, async () => {
    await using editor = open(name);
    assert.equal((await editor.end())?.code, code);
    assert.equal(editor.ended.at(-1)?.closing, true);
    assert.equal(editor.code, 1008);
  });
}

Deno.test("what one writes the other one gets, and the file has it after a pause", async () => {
  await using one = open("notes.md");
  await one.synced();
  assert.equal(one.text, "one\ntwo\n");
  assert.equal(one.ended.length, 0);
  await using two = open("notes.md", bob.token);
  await two.synced();
  one.type("three\n");
  await two.until("three", () => two.text === "one\ntwo\nthree\n");
  two.type("zero\n", 0);
  await one.until("zero", () => one.text === "zero\none\ntwo\nthree\n");
  await Promise.all([one.allKept(), two.allKept()]);
  await one.until("saved", () => one.saved?.by.length === 2);
  assert.deepEqual(one.saved?.by.toSorted(), ["anna", "bob"]);
  assert.equal(await Deno.readTextFile(place("notes.md")), "zero\none\ntwo\nthree\n");
  const head = await app.call("HEAD", "/api/raw/notes.md", { token: anna.token });
  assert.equal(head.headers.get("etag"), one.saved?.etag);
});

Deno.test("who is in is told with names and rights, and who only views follows", async () => {
  await Deno.writeTextFile(place("seen.md"), "seen");
  await using one = open("seen.md");
  await using two = open("seen.md", reader.token);
  await Promise.all([one.synced(), two.synced()]);
  await one.until("two are in", () => one.present.length === 2);
  assert.deepEqual(one.present.map(({ name, right, self }) => [name, right, self]).sort(), [
    ["anna", "edit", true],
    ["reader", "view", false],
  ]);
  one.type("!");
  await two.until("followed", () => two.text === "seen!");
  two.type("never");
  await two.until("refused", () => two.ended.some(({ code }) => code === "read_only"));
  assert.equal(two.ended[0]?.closing, false);
  two.saveNow();
  await one.allKept();
  assert.equal(one.text, "seen!");
  await two.leave();
  await one.until("alone", () => one.present.length === 1);
});

Deno.test("cursors are told with the name and color that the server knows", async () => {
  await Deno.writeTextFile(place("cursor.md"), "text");
  await using one = open("cursor.md");
  await using two = open("cursor.md", bob.token);
  await Promise.all([one.synced(), two.synced()]);
  const item = { type: null, tname: "text", item: null, assoc: 0 };
  two.point({ user: { name: "anna", color: "red" }, cursor: { anchor: item, head: item }, x: 1 });
  const stateOf = () => one.awareness.getStates().get(two.doc.clientID);
  await one.until("cursor", () => stateOf() !== undefined);
  const { user, cursor, ...rest } = stateOf() ?? {};
  assert.deepEqual(rest, {});
  assert.deepEqual(cursor, { anchor: item, head: item });
  assert.equal(user.name, "bob");
  assert.match(user.color, /^#/);
  assert.equal(user.id, two.self?.id);
  await two.leave();
  await one.until("gone", () => stateOf() === undefined);
});

Deno.test("Ctrl+S saves at once", async () => {
  await Deno.writeTextFile(place("now.md"), "");
  await using one = open("now.md");
  await one.synced();
  one.type("now");
  one.saveNow();
  await one.until("saved", () => one.saved?.by.includes("anna") ?? false);
  assert.equal(await Deno.readTextFile(place("now.md")), "now");
});

Deno.test("a save puts the file among the recent ones of all who have written", async () => {
  await Deno.writeTextFile(place("recent.md"), "");
  const usesOf = async (token: string) => {
    const answer = await app.call("GET", "/api/recent", { token });
    const found: { path: string; use: string }[] = await answer.json();
    return found.filter(({ path }) => path === "/recent.md").map(({ use }) => use);
  };
  await using one = open("recent.md");
  await using two = open("recent.md", bob.token);
  await using three = open("recent.md", reader.token);
  await Promise.all([one.synced(), two.synced(), three.synced()]);
  one.type("a");
  two.type("b");
  await Promise.all([one.allKept(), two.allKept()]);
  one.saveNow();
  await one.until("saved", () => one.saved?.by.length === 2);
  assert.deepEqual(await usesOf(anna.token), ["changed"]);
  assert.deepEqual(await usesOf(bob.token), ["changed"]);
  assert.deepEqual(await usesOf(reader.token), []);
});

Deno.test("line ends, the mark and the encoding of the file stay", async () => {
  const utf16 = (text: string) =>
    new Uint8Array(
      new Uint16Array(
        [0xfeff, ...text].map((unit) => typeof unit === "number" ? unit : unit.charCodeAt(0)),
      ).buffer,
    );
  await Deno.writeFile(place("utf16.txt"), utf16("ä\r\nö\r\n"));
  for (const name of ["crlf.txt", "utf16.txt"]) {
    await using one = open(name);
    await one.synced();
    assert.ok(!one.text.includes("\r"), name);
    one.type("c\r\nd\n");
    one.saveNow();
    await one.until("saved", () => one.saved?.by.includes("anna") ?? false);
    assert.ok(!one.text.includes("\r"), name);
  }
  assert.equal(await Deno.readTextFile(place("crlf.txt")), "a\r\nb\r\nc\r\nd\r\n");
  assert.deepEqual(await Deno.readFile(place("utf16.txt")), utf16("ä\r\nö\r\nc\r\nd\r\n"));
});

Deno.test("a change of the file by another program is merged with what is not saved", async () => {
  await Deno.writeTextFile(place("both.md"), "head\nmiddle\ntail\n");
  await using one = open("both.md");
  await one.synced();
  one.type("typed ", 5);
  await Deno.writeTextFile(place("both.md"), "HEAD\nmiddle\ntail\nmore\n");
  await one.until("merged", () => one.text === "HEAD\ntyped middle\ntail\nmore\n");
  await one.until("saved", () => one.saved?.by.includes("anna") ?? false);
  assert.equal(await Deno.readTextFile(place("both.md")), "HEAD\ntyped middle\ntail\nmore\n");
});

for (
  const [name, begin, pieces] of [
    ["a character", "a\n", [[0xc3], [0xa4, 0x0a]]],
    ["a line end", "a\r\n", [[0x62, 0x0d], [0x0a]]],
  ] as const
) {
  Deno.test(`a program that has written half of ${name} ends nothing`, async () => {
    await Deno.writeTextFile(place("pieces.md"), begin);
    await using one = open("pieces.md");
    await one.synced();
    one.type("typed ", 0);
    await one.allKept();
    using file = await Deno.open(place("pieces.md"), { append: true });
    await file.write(new Uint8Array(pieces[0]));
    // The room has looked at the file.
    await delay(1_500);
    await file.write(new Uint8Array(pieces[1]));
    const text = `typed a\n${name === "a character" ? "ä" : "b"}\n`;
    await one.until("merged", () => one.text === text);
    await one.until("saved", () => one.saved?.by.includes("anna") ?? false);
    assert.deepEqual(one.ended, []);
  });
}

Deno.test("a text that was put back by hand has each change once", async () => {
  await Deno.writeTextFile(place("back.md"), "a\n");
  {
    await using one = open("back.md");
    await one.synced();
    one.type("typed ", 0);
    await one.allKept();
    await Deno.remove(place("back.md"));
    assert.equal((await one.end())?.code, "not_found");
  }
  await app.cubby.coediting.settle();
  await Deno.writeTextFile(place("back.md"), "typed a\n");
  await using again = open("back.md");
  await again.synced();
  assert.equal(again.text, "typed a\n");
});

Deno.test("a rename is followed, and a removal ends the session", async () => {
  await Deno.writeTextFile(place("from.md"), "text");
  await using one = open("from.md");
  await one.synced();
  const to = encodeURIComponent("/to.md");
  const renamed = await app.call(
    "PATCH",
    `/api/resources/from.md?action=rename&destination=${to}`,
    { token: anna.token },
  );
  assert.equal(renamed.status, 200);
  one.type("!");
  one.saveNow();
  await one.until("saved", () => one.saved?.by.includes("anna") ?? false);
  assert.equal(await Deno.readTextFile(place("to.md")), "text!");
  assert.equal(await Deno.stat(place("from.md")).catch(() => null), null);
  await app.call("DELETE", "/api/resources/to.md", { token: anna.token });
  assert.equal((await one.end())?.code, "not_found");
  assert.equal(await Deno.stat(place("to.md")).catch(() => null), null);
});

Deno.test("a page that was offline merges what was written there, also after all have left", async () => {
  await Deno.writeTextFile(place("offline.md"), "a\n");
  await using one = open("offline.md");
  await one.synced();
  const document = one.saved?.document ?? "";
  await one.leave();
  one.type("offline\n");
  {
    await using two = open("offline.md", bob.token);
    await two.synced();
    two.type("meanwhile\n", 0);
    await two.allKept();
    two.saveNow();
    await two.until("saved", () => two.saved?.by.includes("bob") ?? false);
  }
  await using again = open("offline.md", anna.token, { doc: one.doc, query: { document } });
  await again.until("merged", () => again.text === "meanwhile\na\noffline\n");
  again.saveNow();
  await again.until("saved", () => again.saved?.by.includes("anna") ?? false);
  assert.equal(await Deno.readTextFile(place("offline.md")), "meanwhile\na\noffline\n");
  await using other = open("offline.md", anna.token, { query: { document: "other" } });
  assert.equal((await other.end())?.code, "precondition_failed");
});
