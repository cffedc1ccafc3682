/** Saves of an office server beside other programs, and after its lock was lost. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  editorsOf,
  type OpenEditor,
  startOfficeServer,
} from "../../support/office/office_server.ts";
import { davClient } from "../../support/clients/dav.ts";
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
const { open } = editorsOf(app, office);

/** What ONLYOFFICE Docs sends with each save; from the second on a time besides. */
const onlyoffice = {
  "x-lool-wopi-ismodifiedbyuser": "true",
  "x-lool-wopi-isautosave": "true",
  "x-lool-wopi-isexitsave": "false",
};

const contentOf = (name: string) => Deno.readTextFile(join(app.root, name));

let files = 0;

/** Makes a document and opens it. */
async function opened(content = "first"): Promise<OpenEditor & { name: string }> {
  const name = `${files++}.docx`;
  await Deno.writeTextFile(join(app.root, name), content);
  return { ...await open(`/${name}`, token), name };
}

/** Another program writes the file, a while later. */
async function writeBeside(name: string): Promise<void> {
  await Deno.writeTextFile(join(app.root, name), "by another program");
  await Deno.utime(join(app.root, name), new Date(), new Date(Date.now() + 5_000));
}

const read = async (editor: OpenEditor) => await (await editor.read()).text();
const lock = (editor: OpenEditor, lock = "L") => editor.operate("LOCK", { lock });

async function lockOf(editor: OpenEditor, time?: number): Promise<string | null> {
  return (await editor.operate("GET_LOCK", { time })).headers.get("x-wopi-lock");
}

/** Asserts that a save is refused as another program has changed the file, whose content stays. */
async function assertChanged(editor: OpenEditor & { name: string }, answer: Response) {
  assert.equal(answer.status, 409);
  assert.match((await answer.json()).message, /another program has changed the file/);
  assert.equal(await contentOf(editor.name), "by another program");
}

Deno.test("the first save of ONLYOFFICE, which names no time, replaces no other change", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  assert.equal(await read(editor), "first");
  await writeBeside(editor.name);
  const refused = await editor.save("mine", { lock: "L", headers: onlyoffice });
  assert.equal(refused.headers.get("x-wopi-lock"), "L");
  await assertChanged(editor, refused);
  // Opened once more, the document is what the other program has written.
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  const again = { ...await open(`/${editor.name}`, token), name: editor.name };
  await assertStatus(await lock(again, "M"), 200);
  assert.equal(await read(again), "by another program");
  await assertStatus(await again.save("both", { lock: "M", headers: onlyoffice }), 200);
  assert.equal(await contentOf(editor.name), "both");
});

Deno.test("saves of ONLYOFFICE go through while no other program writes", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  const first = await editor.save("one", { lock: "L", headers: onlyoffice });
  const { LastModifiedTime } = await first.json();
  const headers = { ...onlyoffice, "x-lool-wopi-timestamp": LastModifiedTime };
  await assertStatus(await editor.save("two", { lock: "L", headers }), 200);
  await writeBeside(editor.name);
  await assertChanged(editor, await editor.save("three", { lock: "L", headers }));
});

Deno.test("an editor that locks again what it has unlocked replaces no change in between", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  // The other one in the document, whose connection breaks, has not read what the first one saved.
  const other = { ...await open(`/${editor.name}`, token), name: editor.name };
  await read(other);
  await assertStatus(await editor.save("one", { lock: "L", headers: onlyoffice }), 200);
  await assertStatus(await other.operate("UNLOCK", { lock: "L" }), 200);
  await assertStatus(await lock(other), 200, "it is back");
  await assertStatus(await other.save("two", { lock: "L", headers: onlyoffice }), 200);
  await assertStatus(await other.operate("UNLOCK", { lock: "L" }), 200);
  await writeBeside(editor.name);
  await assertStatus(await lock(other), 200, "it is back once more");
  await assertChanged(other, await other.save("three", { lock: "L", headers: onlyoffice }));
  assert.equal(await read(other), "by another program");
  await assertStatus(await other.save("both", { lock: "L", headers: onlyoffice }), 200, "read");
});

Deno.test("what was read before the lock counts, where nothing was read with it", async () => {
  const editor = await opened();
  await read(editor);
  await writeBeside(editor.name);
  await assertStatus(await lock(editor), 200);
  await assertChanged(editor, await editor.save("mine", { lock: "L" }));
  const blind = await opened();
  await assertStatus(await lock(blind), 200);
  await writeBeside(blind.name);
  await assertChanged(blind, await blind.save("never read", { lock: "L" }));
});

Deno.test("who joins later and reads does not bring the others another program's change", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  await writeBeside(editor.name);
  const joining = await open(`/${editor.name}`, token);
  assert.equal(await read(joining), "by another program");
  await assertChanged(editor, await editor.save("mine", { lock: "L" }));
});

Deno.test("a change that comes while the body of a save comes is not replaced", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode("mine"));
      await writeBeside(editor.name);
      controller.close();
    },
  }, { highWaterMark: 0 });
  await assertChanged(editor, await editor.save(body, { lock: "L" }));
});

Deno.test("Collabora Online replaces a change when its user has chosen to", async () => {
  const editor = await opened();
  const { LastModifiedTime } = await (await editor.info()).json();
  await read(editor);
  await assertStatus(await lock(editor), 200);
  await writeBeside(editor.name);
  const collabora = { "x-cool-wopi-isautosave": "false", "x-lool-wopi-isautosave": "false" };
  const headers = { ...collabora, "x-cool-wopi-timestamp": LastModifiedTime };
  const refused = await editor.save("mine", { lock: "L", headers });
  assert.equal((await refused.clone().json()).COOLStatusCode, 1010);
  await assertChanged(editor, refused);
  await assertStatus(await editor.save("mine", { lock: "L", headers: collabora }), 200);
  assert.equal(await contentOf(editor.name), "mine");
});

const halfAnHour = 31 * 60_000;

Deno.test("a lost lock is there again with the next save, while the file is the same", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  await assertStatus(await editor.save("one", { lock: "L" }), 200);
  await app.later(halfAnHour, async () => {
    assert.equal(await lockOf(editor), "");
    await assertStatus(await editor.save("two", { lock: "L" }), 200);
    assert.equal(await contentOf(editor.name), "two");
    assert.equal(await lockOf(editor), "L");
  });
  await app.later(2 * halfAnHour, async () => {
    await assertStatus(await editor.operate("REFRESH_LOCK", { lock: "L" }), 200, "refreshed");
    assert.equal(await lockOf(editor), "L");
  });
  await app.later(3 * halfAnHour, async () => {
    await assertStatus(await lock(editor), 200, "locked again");
    await assertStatus(await editor.save("three", { lock: "L" }), 200);
  });
});

Deno.test("after a lock was lost, saves by another joined editor go through as well", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  const joined = await open(`/${editor.name}`, token);
  await app.later(halfAnHour, async () => {
    await assertStatus(await joined.save("ours", { lock: "L" }), 200);
  });
});

Deno.test("a lost lock does not come back after a change by another program", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  await writeBeside(editor.name);
  await app.later(halfAnHour, async () => {
    const refused = await editor.save("mine", { lock: "L" });
    assert.equal(refused.status, 409);
    assert.equal(refused.headers.get("x-wopi-lock"), "");
    await refused.body?.cancel();
    await assertStatus(await editor.operate("REFRESH_LOCK", { lock: "L" }), 409);
    await assertStatus(await lock(editor), 200, "the lock itself is free");
    await assertChanged(editor, await editor.save("mine", { lock: "L" }));
  });
});

Deno.test("a lost lock does not come back while another editor or a program holds one", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  const dav = davClient(app, "ada");
  await app.later(halfAnHour, async () => {
    const other = await open(`/${editor.name}`, token);
    await assertStatus(await lock(other, "M"), 200);
    const refused = await editor.save("mine", { lock: "L" });
    assert.equal(`${refused.status} ${refused.headers.get("x-wopi-lock")}`, "409 M");
    await refused.body?.cancel();
    await assertStatus(await other.operate("UNLOCK", { lock: "M" }), 200);
    const body = '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>' +
      "<D:locktype><D:write/></D:locktype></D:lockinfo>";
    await assertStatus(await dav("LOCK", `/${editor.name}`, { body }), 200);
    for (const override of ["REFRESH_LOCK", "LOCK", "GET_LOCK"]) {
      const answer = await editor.operate(override, { lock: "L" });
      assert.equal(`${answer.status} ${answer.headers.get("x-wopi-lock")}`, "409 ", override);
      await answer.body?.cancel();
    }
  });
  assert.equal(await contentOf(editor.name), "first");
});

Deno.test("a lock that was given back does not come back by itself", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  await assertStatus(await editor.save("late", { lock: "L" }), 409);
  await assertStatus(await editor.operate("REFRESH_LOCK", { lock: "L" }), 409);
  assert.equal(await lockOf(editor), "");
});

Deno.test("a lock that was replaced is lost and found under its new id", async () => {
  const editor = await opened();
  await assertStatus(await lock(editor), 200);
  await read(editor);
  const headers = { "x-wopi-oldlock": "L" };
  await assertStatus(await editor.operate("LOCK", { lock: "M", headers }), 200);
  await app.later(halfAnHour, async () => {
    await assertStatus(await editor.save("old id", { lock: "L" }), 409);
    await assertStatus(await editor.save("new id", { lock: "M" }), 200);
  });
});
