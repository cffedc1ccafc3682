/** The limits and headers of WOPI: ids of locks, versions, names. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { editorsOf, startOfficeServer } from "../../support/office/office_server.ts";
import { toUtf7 } from "../../support/office/utf7.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";

const office = await startOfficeServer();
const app = await startApp({
  config: { office: { url: office.url, publicUrl: office.url }, disableExec: false },
  tree: { "a.odt": "a", "b.odt": "b", "c.odt": "c", "swapped.odt": "s", "taken.odt": "t" },
});
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
const { token } = await app.addUser("ada");
const { open } = editorsOf(app, office);

const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("");

Deno.test("a lock has 1 to 1024 characters of ASCII, whatever they are", async () => {
  const editor = await open("/a.odt", token);
  for (const lock of ["x", printable, `{"S":"a b","F":4}`, "y".repeat(256), "z".repeat(1_024)]) {
    await assertStatus(await editor.operate("LOCK", { lock }), 200, lock);
    const held = await editor.operate("GET_LOCK");
    assert.equal(held.headers.get("x-wopi-lock"), lock);
    const refused = await editor.operate("LOCK", { lock: `${lock.slice(1)}?` });
    assert.equal(`${refused.status} ${refused.headers.get("x-wopi-lock")}`, `409 ${lock}`);
    await refused.body?.cancel();
    await assertStatus(await editor.operate("UNLOCK", { lock }), 200, lock);
  }
  for (const lock of ["", "z".repeat(1_025), "\u00e4", "a\tb"]) {
    for (const override of ["LOCK", "REFRESH_LOCK", "UNLOCK"]) {
      await assertStatus(await editor.operate(override, { lock }), 400, `${override} ${lock}`);
    }
  }
});

Deno.test("every answer about the file tells its version, which each save changes", async () => {
  const editor = await open("/b.odt", token);
  const version = async () => (await (await editor.info()).json()).Version;
  const told = (answer: Response) => answer.headers.get("x-wopi-itemversion");
  const first = await version();
  assert.match(first, /^[\w-]+$/);
  const lock = "L";
  const read = await editor.read();
  await read.body?.cancel();
  assert.equal(told(read), first);
  assert.equal(told(await editor.operate("LOCK", { lock })), first);
  const saved = await editor.save("b, too", { lock });
  await saved.body?.cancel();
  const second = await version();
  assert.notEqual(second, first);
  assert.equal(told(saved), second);
  assert.equal(told(await editor.operate("REFRESH_LOCK", { lock })), second);
  assert.equal(told(await editor.operate("UNLOCK", { lock })), second);
});

/** Renames the one file that is open. */
async function renaming() {
  const editor = await open("/c.odt", token);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  return {
    editor,
    rename: (name: string) =>
      editor.operate("RENAME_FILE", { lock: "L", headers: { "x-wopi-requestedname": name } }),
  };
}

Deno.test("names of every kind come through a rename, with lock and content", async () => {
  const { editor, rename } = await renaming();
  const names = [
    ...[
      "#1 %41 100% ?x=y&z",
      "日本語 の 名前",
      "`code` $(id) \\ back",
      "C++ & +plus-",
      "“quotes” 'q'",
    ],
    ...[
      "emoji 😀",
      "a;b:c*d|e<f>g",
      "..hidden",
      "dots...",
      "x".repeat(250),
      "-rf",
      "é".normalize("NFD"),
    ],
  ];
  for (const name of names) {
    const answer = await rename(toUtf7(name));
    assert.equal(answer.status, 200, name);
    const { Name } = await answer.json();
    assert.equal(Name, name);
    assert.equal(await Deno.readTextFile(join(app.root, `${name}.odt`)), "c");
    assert.equal((await (await editor.info()).json()).BaseFileName, `${name}.odt`);
  }
  await assertStatus(await editor.save("c, too", { lock: "L" }), 200);
  assert.deepEqual(await (await rename("C++ in plain text")).json(), { Name: "C++ in plain text" });
  assert.deepEqual(await (await rename("c")).json(), { Name: "c" });
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});

Deno.test("a name that no file can have is refused by header, and nothing is renamed", async () => {
  const { editor, rename } = await renaming();
  const names = [
    ...["", " ", ".", "..", "a/b", "../x", "/etc/passwd", "a\u0000b", "x".repeat(252)],
    ...["日".repeat(90), "..\\..\\x\u0000"],
  ];
  for (const name of names) {
    const refused = await rename(toUtf7(name));
    await assertStatus(refused, 400, name);
    assert.ok(refused.headers.get("x-wopi-invalidfilenameerror"), name);
  }
  assert.equal((await (await editor.info()).json()).BaseFileName, "c.odt");
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});

Deno.test("a rename to a name that is taken gives the same free name each time", async () => {
  const { editor, rename } = await renaming();
  for (const time of ["first", "second"]) {
    assert.deepEqual(await (await rename("taken")).json(), { Name: "taken(1)" }, time);
  }
  assert.deepEqual(await (await rename("c")).json(), { Name: "c" });
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});

Deno.test("a save that a hook refuses has failed: the token is not over", async () => {
  const editor = await open("/a.odt", token);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const settings = await app.cubby.settings.get();
  const commands = { ...settings.commands, before_save: ["false"] };
  await app.cubby.settings.update({ ...settings, commands });
  const refused = await editor.save("mine", { lock: "L" });
  await app.cubby.settings.update(settings);
  await assertStatus(refused, 500);
  assert.match(refused.headers.get("x-wopi-servererror") ?? "", /a hook refused$/);
  await assertStatus(await editor.save("mine", { lock: "L" }), 200);
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});

Deno.test("a document whose place a folder has taken is gone, and not locked", async () => {
  const editor = await open("/swapped.odt", token);
  const place = join(app.root, "swapped.odt");
  await Deno.remove(place);
  await Deno.mkdir(place);
  await assertStatus(await editor.info(), 404);
  await assertStatus(await editor.save("mine", { lock: "L" }), 404);
});

Deno.test("a rename without a lock goes through, whatever lock the client names", async () => {
  const editor = await open("/c.odt", token);
  const headers = { "x-wopi-requestedname": "d" };
  await assertStatus(await editor.operate("RENAME_FILE", { lock: "lost", headers }), 200);
  assert.equal((await (await editor.info()).json()).BaseFileName, "d.odt");
  const back = { "x-wopi-requestedname": "c" };
  await assertStatus(await editor.operate("RENAME_FILE", { headers: back }), 200);
});
