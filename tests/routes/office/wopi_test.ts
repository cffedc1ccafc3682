/** Documents in an office server, by the protocol that it speaks (WOPI). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { editorsOf, startOfficeServer } from "../../support/office/office_server.ts";
import { startApp } from "../../support/server/app.ts";
import { davClient } from "../../support/clients/dav.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const office = await startOfficeServer();
const app = await startApp({
  config: { webdav: true, office: { url: office.url, publicUrl: "https://office.example" } },
  tree: {
    docs: {
      "letter.odt": "a letter",
      "sheet.xlsx": "cells",
      "plan.docx": "a plan",
      "empty.docx": "",
      "page.txt": "text",
      "logged.odt": "a letter",
    },
    other: { "b.odt": "another" },
  },
});
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
const { token } = await app.addUser("ada");
const { open } = editorsOf(app, office);

const contentOf = (path: string) => Deno.readTextFile(join(app.root, path));

Deno.test("an office server without a good token and signature is refused", async () => {
  const editor = await open("/docs/letter.odt", token);
  const other = await open("/other/b.odt", token);
  const refused = async (
    request: Parameters<typeof editor.info>[0],
    status: number,
    told: string,
  ) => await assertStatus(await editor.info(request), status, told);
  await refused({ accessToken: "" }, 401, "none");
  await refused({ accessToken: token }, 401, "a session's");
  await refused({ accessToken: `${editor.token}x` }, 401, "changed");
  await refused({ accessToken: other.token }, 401, "of another document");
  await refused({ proof: {} }, 500, "not signed");
  await refused({ time: Date.now() - 21 * 60_000 }, 500, "signed long ago");
  await refused({ time: Date.now() + 21 * 60_000 }, 500, "signed in the future");
  const elsewhere = await office.proofOf(editor.token, "http://cubby.test/wopi/files/x");
  await refused({ proof: elsewhere }, 500, "signed for another address");
  await refused(
    { proof: { ...elsewhere, "x-wopi-timestamp": "soon" } },
    500,
    "a time that is none",
  );
  await app.later(11 * 60 * 60_000, async () => {
    const { status } = await editor.info();
    assert.equal(status, 401, "a token that is over");
  });
});

Deno.test("requests are proven by the former key, too, and by new keys once they are there", async () => {
  const editor = await open("/docs/letter.odt", token);
  await office.rotate();
  // The server still knows the former keys: the proof by the old one counts.
  await assertStatus(await editor.info(), 200, "one change");
});

Deno.test("keys that an office server has got, or has no longer, count at the next request", async () => {
  await using other = await startOfficeServer();
  await using lone = await startApp({
    config: { office: { url: other.url, publicUrl: other.url } },
    tree: { "a.odt": "a" },
    inProcess: true,
  });
  const editor = await editorsOf(lone, other).open("/a.odt", await lone.tokenOf("admin"));
  await assertStatus(await editor.info(), 200, "signed");
  const minute = 60_000;
  await lone.later(minute, async () => {
    other.sign(false);
    await assertStatus(await editor.info(), 200, "no keys any more");
  });
  other.sign(true);
  await lone.later(2 * minute, async () => {
    const forged = {
      "x-wopi-proof": "AAAA",
      "x-wopi-proofold": "AAAA",
      "x-wopi-timestamp": "1",
    };
    await assertStatus(await editor.info({ proof: forged }), 500, "forged");
    await assertStatus(await editor.info({ proof: {} }), 500, "unsigned");
    await assertStatus(await editor.info({ time: Date.now() }), 200, "signed by a new key");
  });
});

Deno.test("CheckFileInfo describes the document and the rights", async () => {
  const editor = await open("/docs/letter.odt", token);
  const info = await (await editor.info()).json();
  assert.equal(info.BaseFileName, "letter.odt");
  assert.equal(info.Size, 8);
  assert.equal(info.UserFriendlyName, "ada");
  assert.equal(info.UserCanWrite, true);
  assert.equal(info.UserCanRename, true);
  assert.equal(info.UserCanNotWriteRelative, true);
  assert.equal(info.SupportsLocks, true);
  assert.equal(info.PostMessageOrigin, "http://cubby.test");
  assert.equal(info.LastModifiedTime, new Date(info.LastModifiedTime).toISOString());
  const reader = await app.addUser("reader", { perm: { modify: false, rename: false } });
  const viewing = await open("/docs/letter.odt", reader.token);
  assert.equal(viewing.right, "view");
  assert.match(viewing.address, /\/viewer\/odt\?/);
  const seen = await (await viewing.info()).json();
  assert.deepEqual([seen.UserCanWrite, seen.ReadOnly, seen.UserCanRename], [false, true, false]);
  for (const override of ["LOCK", "UNLOCK", "REFRESH_LOCK", "RENAME_FILE"]) {
    await assertStatus(await viewing.operate(override, { lock: "x" }), 404, override);
  }
  await assertStatus(await viewing.save("mine"), 404, "PutFile by a viewer");
});

Deno.test("GetFile sends the content, unless the client takes less", async () => {
  const editor = await open("/docs/letter.odt", token);
  await assertStatus(await editor.read({ headers: { "x-wopi-maxexpectedsize": "7" } }), 412);
  const answer = await editor.read({ headers: { "x-wopi-maxexpectedsize": "8" } });
  assert.equal(await answer.text(), "a letter");
  const { Version } = await (await editor.info()).json();
  assert.equal(answer.headers.get("x-wopi-itemversion"), Version);
});

Deno.test("locks: one at a time, refreshed, replaced, stolen by none", async () => {
  const editor = await open("/docs/sheet.xlsx", token);
  const lockOf = async (answer: Response) => {
    await answer.body?.cancel();
    return `${answer.status} ${answer.headers.get("x-wopi-lock")}`;
  };
  await assertStatus(await editor.operate("LOCK"), 400, "a lock without an id");
  await assertStatus(await editor.operate("LOCK", { lock: "x".repeat(1025) }), 400, "too long");
  assert.equal(await lockOf(await editor.operate("GET_LOCK")), "200 ");
  assert.equal(await lockOf(await editor.operate("REFRESH_LOCK", { lock: "one" })), "409 ");
  assert.equal(await lockOf(await editor.operate("UNLOCK", { lock: "one" })), "409 ");
  await assertStatus(await editor.operate("LOCK", { lock: "one" }), 200);
  await assertStatus(await editor.operate("LOCK", { lock: "one" }), 200, "again");
  assert.equal(await lockOf(await editor.operate("GET_LOCK")), "200 one");
  assert.equal(await lockOf(await editor.operate("LOCK", { lock: "two" })), "409 one");
  assert.equal(await lockOf(await editor.operate("UNLOCK", { lock: "two" })), "409 one");
  const swap = (old: string, lock: string) =>
    editor.operate("LOCK", { lock, headers: { "x-wopi-oldlock": old } });
  assert.equal(await lockOf(await swap("two", "three")), "409 one");
  await assertStatus(await swap("one", "three"), 200);
  await assertStatus(await editor.operate("REFRESH_LOCK", { lock: "three" }), 200);
  await app.later(29 * 60_000, async () => {
    assert.equal(await lockOf(await editor.operate("GET_LOCK", { time: Date.now() })), "200 three");
  });
  await assertStatus(await editor.operate("UNLOCK", { lock: "three" }), 200);
  assert.equal(await lockOf(await editor.operate("GET_LOCK")), "200 ");
});

Deno.test("of two who lock at once, one is refused", async () => {
  const editor = await open("/other/b.odt", token);
  const answers = await Promise.all(
    ["a", "b", "c", "d"].map((lock) => editor.operate("LOCK", { lock })),
  );
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  const lock = (await editor.operate("GET_LOCK")).headers.get("x-wopi-lock") ?? "";
  await assertStatus(await editor.operate("UNLOCK", { lock }), 200);
});

Deno.test("PutFile saves with the lock alone, and keeps the former content as a version", async () => {
  const editor = await open("/docs/plan.docx", token);
  await (await editor.read()).body?.cancel();
  const refused = await editor.save("by whom?");
  assert.equal(refused.status, 409);
  assert.equal(refused.headers.get("x-wopi-lock"), "");
  await assertStatus(await editor.operate("LOCK", { lock: "mine" }), 200);
  await assertStatus(await editor.save("x", { lock: "yours" }), 409, "another lock");
  await assertStatus(await editor.save("x", { lock: "mine", override: "PUT_RELATIVE" }), 501);
  assert.equal(await contentOf("docs/plan.docx"), "a plan");
  const saved = await editor.save("a better plan", { lock: "mine" });
  assert.equal(saved.status, 200);
  const { LastModifiedTime } = await saved.json();
  const info = await (await editor.info()).json();
  assert.equal(info.LastModifiedTime, LastModifiedTime);
  assert.equal(info.Version, saved.headers.get("x-wopi-itemversion"));
  assert.equal(await contentOf("docs/plan.docx"), "a better plan");
  await assertStatus(await editor.save("the best plan", { lock: "mine" }), 200, "a second save");
  await assertStatus(await editor.operate("UNLOCK", { lock: "mine" }), 200);
  const trash = await (await app.call("GET", "/api/trash?versions=/docs/plan.docx", { token }))
    .text();
  assert.match(trash, /plan\.docx/);
});

Deno.test("a new document, which is empty, is saved without a lock", async () => {
  const editor = await open("/docs/empty.docx", token);
  await assertStatus(await editor.save("the first words"), 200);
  assert.equal(await contentOf("docs/empty.docx"), "the first words");
  await assertStatus(await editor.save("more"), 409, "it is empty no longer");
});

Deno.test("what the office server has locked, no page, call or WebDAV client changes", async () => {
  const editor = await open("/docs/page.txt", token);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const save = () => app.call("PUT", "/api/resources/docs/page.txt", { token, body: "mine" });
  await assertRefused(await save(), 423, "locked");
  const move = "/api/resources/docs/page.txt?action=rename&destination=/docs/x.txt";
  await assertRefused(await app.call("PATCH", move, { token }), 423, "locked");
  await assertRefused(await app.call("DELETE", "/api/resources/docs", { token }), 423, "locked");
  const dav = davClient(app, "ada");
  await assertStatus(await dav("PUT", "/docs/page.txt", { body: "mine" }), 423, "WebDAV");
  const found = await dav("PROPFIND", "/docs/page.txt", { headers: { depth: "0" } });
  const xml = await found.text();
  assert.match(xml, /<D:owner[^>]*>ada<\/D:owner>/);
  assert.doesNotMatch(xml, /locktoken/, "it is no lock of a client of WebDAV");
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  await assertStatus(await save(), 200, "the document is closed");
});

Deno.test("a document that a WebDAV client has locked is opened to read alone", async () => {
  const dav = davClient(app, "ada");
  const body = '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>' +
    "<D:locktype><D:write/></D:locktype></D:lockinfo>";
  const locked = await dav("LOCK", "/docs/page.txt", { body });
  await locked.body?.cancel();
  const editor = await open("/docs/page.txt", token);
  const refused = await editor.operate("LOCK", { lock: "L" });
  assert.equal(refused.status, 409);
  assert.equal(refused.headers.get("x-wopi-lock"), "");
  assert.match(refused.headers.get("x-wopi-lockfailurereason") ?? "", /another lock conflicts/);
  await assertStatus(await editor.save("x"), 409);
  const headers = { "lock-token": locked.headers.get("lock-token") ?? "" };
  await assertStatus(await dav("UNLOCK", "/docs/page.txt", { headers }), 204);
});

Deno.test("a change by another program is not overwritten without a word", async () => {
  const path = "docs/changed.odt";
  await Deno.writeTextFile(join(app.root, path), "first");
  const editor = await open(`/${path}`, token);
  const { LastModifiedTime } = await (await editor.info()).json();
  await (await editor.read()).body?.cancel();
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  await Deno.writeTextFile(join(app.root, path), "by another program");
  await Deno.utime(join(app.root, path), new Date(), new Date(Date.now() + 5_000));

  const collabora = { "x-cool-wopi-isautosave": "true", "x-cool-wopi-timestamp": LastModifiedTime };
  const refused = await editor.save("mine", { lock: "L", headers: collabora });
  assert.equal(refused.status, 409);
  assert.equal((await refused.json()).COOLStatusCode, 1010);
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, trash: { ...settings.trash, versions: false } });
  try {
    await assertStatus(await editor.save("mine", { lock: "L" }), 409, "no versions are kept");
    assert.equal(await contentOf(path), "by another program");
    const chosen = { "x-cool-wopi-isautosave": "false" };
    await assertStatus(await editor.save("mine", { lock: "L", headers: chosen }), 200, "as chosen");
  } finally {
    await app.cubby.settings.update(settings);
  }
  assert.equal(await contentOf(path), "mine");
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});

Deno.test("a rename in the editor keeps document and lock; a bad name is refused", async () => {
  await Deno.writeTextFile(join(app.root, "docs/old.odt"), "words");
  const editor = await open("/docs/old.odt", token);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const rename = (name: string, lock = "L") =>
    editor.operate("RENAME_FILE", { lock, headers: { "x-wopi-requestedname": name } });
  for (const name of ["", "../out", "a/b", "..", ".", "+AC8-etc", "x".repeat(300)]) {
    const refused = await rename(name);
    await assertStatus(refused, 400, name);
    assert.ok(refused.headers.get("x-wopi-invalidfilenameerror"), name);
  }
  await assertStatus(await rename("new", "other"), 409, "another lock");
  // UTF-7, as the protocol has it: "Überblick & +".
  const renamed = await rename("+ANw-berblick & +-");
  assert.equal(renamed.status, 200);
  assert.deepEqual(await renamed.json(), { Name: "Überblick & +" });
  assert.equal(await contentOf("docs/Überblick & +.odt"), "words");
  assert.equal((await (await editor.info()).json()).BaseFileName, "Überblick & +.odt");
  await assertStatus(await editor.save("more words", { lock: "L" }), 200, "under the new name");
  assert.equal(await contentOf("docs/Überblick & +.odt"), "more words");
  assert.deepEqual(await (await rename("letter")).json(), { Name: "letter(1)" });
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});

Deno.test("a document follows its file when that is moved, and ends with it", async () => {
  await Deno.mkdir(join(app.root, "docs/deep"));
  await Deno.writeTextFile(join(app.root, "docs/deep/moved.odt"), "words");
  const editor = await open("/docs/deep/moved.odt", token);
  const move = "/api/resources/docs/deep?action=rename&destination=/docs/deeper";
  await assertStatus(await app.call("PATCH", move, { token }), 200);
  assert.equal(await (await editor.read()).text(), "words");
  assert.equal((await open("/docs/deeper/moved.odt", token)).path, editor.path);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await editor.save("more", { lock: "L" }), 200);
  assert.equal(await contentOf("docs/deeper/moved.odt"), "more");
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  await Deno.rename(join(app.root, "docs/deeper/moved.odt"), join(app.root, "docs/away.odt"));
  const gone = await editor.save("lost?", { lock: "L" });
  assert.equal(gone.status, 404);
  assert.match((await gone.json()).message, /moved, renamed or deleted by another program/);
});

Deno.test("a save obeys the quota, and a save that breaks off changes nothing", async () => {
  const small = await app.addUser("small", { scope: "/other", quota: { bytes: 20 } });
  const editor = await open("/b.odt", small.token);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await editor.save("x".repeat(500), { lock: "L" }), 413, "over the quota");
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
    pull: (controller) => controller.error(new TypeError("The connection was reset")),
  });
  const broken = await editor.save(body, { lock: "L" });
  assert.ok(broken.status >= 400, String(broken.status));
  await broken.body?.cancel();
  assert.equal(await contentOf("other/b.odt"), "another");
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
});

Deno.test("a token ends with the session, with the permission, and with the rule", async () => {
  const { token, user } = await app.addUser("leaver");
  const editor = await open("/docs/letter.odt", token);
  await assertStatus(await editor.info(), 200);
  const perm = { ...user.perm, modify: false };
  await app.cubby.users.update(user.id, { perm });
  const later = await open("/docs/letter.odt", await app.tokenOf("leaver"));
  assert.equal(later.right, "view");
  const info = await later.info();
  assert.equal((await info.json()).UserCanWrite, false);
  await assertStatus(await later.operate("LOCK", { lock: "L" }), 404);
  const [session] = await app.cubby.sessions.list(user.id);
  await app.cubby.sessions.endAll(user.id);
  assert.ok(session);
  await assertStatus(await later.info(), 401, "the session has ended");
  await assertStatus(await later.read(), 401, "the session has ended");
});

Deno.test("a shared document: to view for visitors, to edit for recipients, until it ends", async () => {
  await app.addUser("friend");
  const friend = await app.tokenOf("friend");
  await Deno.writeTextFile(join(app.root, "docs/shared.odt"), "ours");
  const json = {
    password: "",
    audience: [{ name: "friend", may: "edit" }],
    anyone: true,
  };
  const made = await app.call("POST", "/api/share/docs/shared.odt", { token, json });
  const { hash } = await made.json();
  const call = "/api/public/office/";
  const visitor = await open(`${hash}?name=Guest%20of%20Ada`, undefined, call);
  assert.equal(visitor.right, "view");
  const seen = await (await visitor.info()).json();
  assert.equal(seen.UserFriendlyName, "Guest of Ada (guest)");
  assert.equal(seen.IsAnonymousUser, true);
  assert.equal(await (await visitor.read()).text(), "ours");
  await assertStatus(await visitor.operate("LOCK", { lock: "L" }), 404);

  const editor = await open(hash, friend, call);
  assert.equal(editor.path, visitor.path);
  assert.equal(editor.right, "edit");
  const info = await (await editor.info()).json();
  assert.deepEqual([info.UserFriendlyName, info.UserCanRename], ["friend", false]);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await editor.save("yours, too", { lock: "L" }), 200);
  assert.equal(await contentOf("docs/shared.odt"), "yours, too");
  const name = { "x-wopi-requestedname": "mine" };
  await assertStatus(await editor.operate("RENAME_FILE", { lock: "L", headers: name }), 404);
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);

  const viewOnly = { viewOnly: true };
  await assertStatus(await app.call("PATCH", `/api/share/${hash}`, { token, json: viewOnly }), 200);
  await assertStatus(await visitor.info(), 401, "its terms have changed");
  const shown = await open(hash, undefined, call);
  const only = await (await shown.info()).json();
  assert.equal(only.CopyPasteRestrictions, "BlockAll");
  assert.deepEqual([only.DisablePrint, only.DisableExport, only.HideExportOption], [
    true,
    true,
    true,
  ]);
  await assertStatus(await app.call("DELETE", `/api/share/${hash}`, { token }), 200);
  await assertStatus(await shown.info(), 404, "the share has ended");
});

Deno.test("no token is in the log, and a save is in the activity log", async () => {
  const editor = await open("/docs/logged.odt", token);
  await assertStatus(await editor.info({ proof: {} }), 500);
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await editor.save("a longer letter", { lock: "L" }), 200);
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  const logged = JSON.stringify([app.log.lines, app.log.requests]);
  assert.match(logged, /\/wopi\/files\//);
  assert.ok(!logged.includes(editor.token.slice(0, 40)));
  assert.doesNotMatch(logged, /access_token/);
});

Deno.test("other operations are refused: an office server makes and removes no files", async () => {
  const editor = await open("/docs/letter.odt", token);
  for (
    const override of ["PUT_RELATIVE", "DELETE", "GET_SHARE_URL", "PUT_USER_INFO", "", "__proto__"]
  ) {
    const headers = { "x-wopi-suggestedtarget": "../../evil.odt" };
    await assertStatus(await editor.operate(override, { headers }), 501, override);
  }
  await assertStatus(await editor.save("x", { override: "" }), 501);
});
