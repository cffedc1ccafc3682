// With two threads, too: locks, sessions and shares that end, keys that each thread has read.
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  accessTokenMs,
  signAccessToken,
} from "../../../lib/server/features/office/access_tokens.ts";
import type { AuditRecord } from "../../../lib/shared/schemas/audit.ts";
import { deny } from "../../support/data/rules.ts";
import { requestHead, sendRaw } from "../../support/clients/raw_http.ts";
import {
  editorsOf,
  type OpenEditor,
  startOfficeServer,
} from "../../support/office/office_server.ts";
import { startApp } from "../../support/server/app.ts";
import { activitiesOnce, keepActivity } from "../../support/server/audited.ts";
import { assertStatus } from "../../support/server/refused.ts";

const office = await startOfficeServer();
const app = await startApp({
  config: { office: { url: office.url, publicUrl: office.url } },
  tree: { outside: { "secret.odt": "secret" } },
});
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
const to = app.listen();
const { open, editorOf } = editorsOf(app, office);
const { users } = app.cubby;

let people = 0;

/** A user with a home and a document in it, which is open in an editor. */
async function someone() {
  const name = `person${people++}`;
  await Deno.mkdir(join(app.root, name));
  await Deno.writeTextFile(join(app.root, name, "a.odt"), name);
  const { token, user } = await app.addUser(name, { scope: `/${name}` });
  const editor = await open("/a.odt", token);
  return { name, token, user, editor, content: () => contentOf(`${name}/a.odt`) };
}

const contentOf = (path: string) => Deno.readTextFile(join(app.root, path));

/** Each request of the protocol. */
const requests: Record<string, (editor: OpenEditor, more?: object) => Promise<Response>> = {
  CheckFileInfo: (editor, more) => editor.info(more),
  GetFile: (editor, more) => editor.read(more),
  PutFile: (editor, more) => editor.save("attack", { lock: "L", ...more }),
  Lock: (editor, more) => editor.operate("LOCK", { lock: "L", ...more }),
  RefreshLock: (editor, more) => editor.operate("REFRESH_LOCK", { lock: "L", ...more }),
  GetLock: (editor, more) => editor.operate("GET_LOCK", more),
  RenameFile: (editor, more) =>
    editor.operate("RENAME_FILE", {
      lock: "L",
      headers: { "x-wopi-requestedname": "attack" },
      ...more,
    }),
  Unlock: (editor, more) => editor.operate("UNLOCK", { lock: "L", ...more }),
};

/** Asserts that every request is refused with one of some statuses. */
async function assertAllRefused(editor: OpenEditor, statuses: number[], told: string, more = {}) {
  for (const [name, request] of Object.entries(requests)) {
    const answer = await request(editor, more);
    const text = await answer.text();
    assert.ok(statuses.includes(answer.status), `${told}: ${name} ${answer.status} ${text}`);
    assert.equal(answer.headers.get("x-wopi-lock"), null, `${told}: ${name} tells no lock`);
  }
}

Deno.test("ignored secrets: tokens that are none, of others, unsigned, or signed otherwise", async () => {
  const { editor, token, user, content, name } = await someone();
  const [head = "", claims = "", signature = ""] = editor.token.split(".");
  const part = (value: object) =>
    new TextEncoder().encode(JSON.stringify(value))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, true, ["sign"]);
  const now = Date.now();
  const grant = {
    id: "x",
    document: editor.path.split("/").at(-1) ?? "",
    right: "edit" as const,
    session: { userId: user.id, sid: "x" },
    origin: "http://cubby.test",
    host: "http://cubby.test",
  };
  const ended = now - accessTokenMs - 60_000;
  const tokens = {
    "none": "",
    "a word": "secret",
    "a session's": token,
    "unsigned": `${part({ alg: "none", typ: "office+jwt" })}.${claims}.`,
    "without its signature": `${head}.${claims}.`,
    "of another algorithm": `${part({ alg: "RS256", typ: "office+jwt" })}.${claims}.${signature}`,
    "of another kind": `${part({ alg: "HS256", typ: "JWT" })}.${claims}.${signature}`,
    "with other claims": `${head}.${part({ ...grant, exp: now / 1000 + 999 })}.${signature}`,
    "by another secret": await signAccessToken(key, grant, now),
    "over": await signAccessToken(app.cubby.key, grant, ended),
    "of a session that is none": await signAccessToken(app.cubby.key, grant, now),
    "cut": editor.token.slice(0, -2),
    "twice": `${editor.token}.${editor.token}`,
    "with NUL": `${editor.token}\u0000`,
    "very long": "x".repeat(12_000),
  };
  for (const [told, accessToken] of Object.entries(tokens)) {
    await assertAllRefused(editor, [401, 431, 414], told, { accessToken });
  }
  // Of two tokens the first counts, and no good one behind it.
  const query = `?access_token=x&access_token=${editor.token}`;
  const others: Record<string, string>[] = [{}, { authorization: `Bearer ${editor.token}` }];
  for (const more of others) {
    const proof = await office.proofOf("x", `http://cubby.test${editor.path}${query}`);
    const answer = await app.call("GET", editor.path + query, { headers: { ...proof, ...more } });
    await assertStatus(answer, 401, "a good token behind a bad one");
  }
  // Neither a cookie nor another header stands in for the token.
  for (const [header, value] of [["cookie", `auth=${token}`], ["x-auth", token]] as const) {
    const more = { accessToken: "", headers: { [header]: value } };
    await assertStatus(await editor.info(more), 401, header);
  }
  assert.equal(await content(), name);
});

Deno.test("replay: a token on another file, of the same user, of another one, of a share", async () => {
  const one = await someone();
  const two = await someone();
  await Deno.writeTextFile(join(app.root, one.name, "b.odt"), "b");
  const other = await open("/b.odt", one.token);
  await assertAllRefused(other, [401], "another file", { accessToken: one.editor.token });
  await assertAllRefused(two.editor, [401], "another user's", { accessToken: one.editor.token });
  const json = { password: "", anyone: true };
  const { hash } = await (await app.call("POST", "/api/share/a.odt", { token: one.token, json }))
    .json();
  const shared = await open(hash, undefined, "/api/public/office/");
  assert.equal(shared.path, one.editor.path, "it is the same document");
  for (const override of ["LOCK", "UNLOCK", "REFRESH_LOCK", "RENAME_FILE"]) {
    await assertStatus(await shared.operate(override, { lock: "L" }), 404, override);
  }
  await assertStatus(await shared.save("by a visitor", { lock: "L" }), 404);
  await assertAllRefused(two.editor, [401], "a share's", { accessToken: shared.token });
  assert.deepEqual([await one.content(), await two.content()], [one.name, two.name]);
  // No call of the API takes it, and it renews itself by none.
  const calls = [
    ...[["GET", "/api/resources/"], ["GET", "/api/raw/a.odt"], ["GET", "/api/users/1"]],
    ...[["POST", "/api/office/a.odt"], ["POST", "/api/renew"], ["PUT", "/api/resources/a.odt"]],
  ];
  for (const [method = "", call = ""] of calls) {
    for (const [header, start] of [["x-auth", ""], ["cookie", "auth="]] as const) {
      const headers = { [header]: start + one.editor.token };
      const answer = await app.call(method, call, { headers });
      await assertStatus(answer, 401, `${method} ${call}`);
    }
  }
});

Deno.test("what has ended: the session, the user, the permission, the rule, the file, the scope", async () => {
  const endings: Record<string, (who: Awaited<ReturnType<typeof someone>>) => Promise<unknown>> = {
    "signed out": ({ token }) => app.call("POST", "/api/logout", { token }).then(cancel),
    "sessions ended": ({ user }) => app.cubby.sessions.endAll(user.id),
    "user removed": ({ user }) => users.remove(user.id),
    "download taken": ({ user }) =>
      users.update(user.id, { perm: { ...user.perm, download: false } }),
    "denied by a rule": ({ user }) => users.update(user.id, { rules: [deny("/a.odt")] }),
    "another scope": ({ user }) => users.update(user.id, { scope: "/outside" }),
    "file deleted": ({ name }) => Deno.remove(join(app.root, name, "a.odt")),
    "file exchanged for a link": async ({ name }) => {
      await Deno.remove(join(app.root, name, "a.odt"));
      await Deno.symlink(join(app.root, "outside/secret.odt"), join(app.root, name, "a.odt"));
    },
  };
  for (const [told, end] of Object.entries(endings)) {
    const who = await someone();
    await assertStatus(await who.editor.operate("LOCK", { lock: "L" }), 200, told);
    await end(who);
    await assertAllRefused(who.editor, [401, 404], told);
  }
  assert.equal(await contentOf("outside/secret.odt"), "secret");
  const reader = await someone();
  await assertStatus(await reader.editor.operate("LOCK", { lock: "L" }), 200);
  await users.update(reader.user.id, { perm: { ...reader.user.perm, modify: false } });
  await assertAllRefused(reader.editor, [401], "modify taken, and the session with it");
  assert.equal(await reader.content(), reader.name);
});

const cancel = (answer: Response) => answer.body?.cancel();

Deno.test("what has ended: the share, its terms, its password, the recipient's right, the owner's", async () => {
  const guest = await app.addUser("guest");
  type Shared = { hash: string; owner: Awaited<ReturnType<typeof someone>> };
  const change = ({ hash, owner }: Shared, json: object) =>
    app.call("PATCH", `/api/share/${hash}`, { token: owner.token, json }).then(cancel);
  const endings: Record<string, (shared: Shared) => Promise<unknown>> = {
    "withdrawn": ({ hash, owner }) =>
      app.call("DELETE", `/api/share/${hash}`, { token: owner.token }).then(cancel),
    "a password": (shared) => change(shared, { password: "a new password 7" }),
    "view only": (shared) => change(shared, { viewOnly: true }),
    "the recipient left out": (shared) => change(shared, { audience: [] }),
    "the owner may not share": ({ owner }) =>
      users.update(owner.user.id, { perm: { ...owner.user.perm, share: false } }),
    "the owner has gone": ({ owner }) => users.remove(owner.user.id),
    "the guest has gone": () => app.cubby.sessions.endAll(guest.user.id),
  };
  for (const [told, end] of Object.entries(endings)) {
    const owner = await someone();
    const json = { password: "", audience: [{ name: "guest", may: "edit" }] };
    const { hash } =
      await (await app.call("POST", "/api/share/a.odt", { token: owner.token, json })).json();
    const editor = await open(hash, await app.tokenOf("guest"), "/api/public/office/");
    assert.equal(editor.right, "edit", told);
    await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200, told);
    await end({ hash, owner });
    await assertAllRefused(editor, [401, 404], told);
    assert.equal(await owner.content(), owner.name);
  }
});

Deno.test("signatures: none, of another key, of another request, too old, too new, odd", async () => {
  const { editor } = await someone();
  const other = await someone();
  await using stranger = await startOfficeServer();
  const address = `http://cubby.test${editor.path}?access_token=${editor.token}`;
  const good = await office.proofOf(editor.token, address);
  await assertStatus(await editor.info({ proof: good }), 200, "the good one");
  const minute = 60_000;
  const proofs: Record<string, Record<string, string>> = {
    "none": {},
    "of another server": await stranger.proofOf(editor.token, address),
    "for another file": await office.proofOf(
      editor.token,
      address.replace(editor.path, other.editor.path),
    ),
    "for another token": await office.proofOf(other.editor.token, address),
    "for another host": await office.proofOf(
      editor.token,
      address.replace("cubby.test", "evil.test"),
    ),
    "old": await office.proofOf(editor.token, address, Date.now() - 21 * minute),
    "of tomorrow": await office.proofOf(editor.token, address, Date.now() + 21 * minute),
    "with another time": {
      ...good,
      "x-wopi-timestamp": `${BigInt(good["x-wopi-timestamp"] ?? 0) + 1n}`,
    },
    "a negative time": { ...good, "x-wopi-timestamp": "-1" },
    "a time that is long": { ...good, "x-wopi-timestamp": "9".repeat(4_000) },
    "no time": { "x-wopi-proof": good["x-wopi-proof"] ?? "" },
    "empty": { ...good, "x-wopi-proof": "", "x-wopi-proofold": "" },
    "no base64": { ...good, "x-wopi-proof": "!", "x-wopi-proofold": "!" },
    "long": { ...good, "x-wopi-proof": "A".repeat(6_000), "x-wopi-proofold": "A" },
  };
  for (const [told, proof] of Object.entries(proofs)) {
    for (const request of [editor.info, editor.read]) {
      await assertStatus(await request({ proof }), 500, told);
    }
    await assertStatus(await editor.save("attack", { proof, lock: "" }), 500, told);
  }
  // The proof of a request is none of the same one to the content.
  await assertStatus(
    await editor.read({ proof: good }),
    500,
    "GetFile by the proof of CheckFileInfo",
  );
});

Deno.test("the former key is good, one before that is not", async () => {
  const { editor } = await someone();
  await assertStatus(await editor.info(), 200);
  await office.rotate();
  await assertStatus(await editor.info(), 200, "signed by the former key, too");
});

Deno.test("traversal: no operation names another file, and none makes one", async () => {
  const { editor, name, token, content } = await someone();
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const targets = [
    ...["../../outside/secret.odt", "/etc/passwd", "..\\..\\x.odt", "%2e%2e%2fx.odt", ".odt"],
    ...["+AC4ALgAv-x.odt", "a/../../x.odt", "evil.odt", "....//x.odt"],
  ];
  for (const target of targets) {
    const headers = {
      "x-wopi-suggestedtarget": target,
      "x-wopi-relativetarget": target,
      "x-wopi-overwriterelativetarget": "true",
      "x-wopi-size": "6",
    };
    for (const override of ["PUT_RELATIVE", "PUT_RELATIVE_FILE", "DELETE", "PUT_USER_INFO"]) {
      const more = { headers, body: "attack" };
      await assertStatus(await editor.operate(override, more), 501, `${override} ${target}`);
    }
    const renaming = { lock: "L", headers: { "x-wopi-requestedname": target } };
    const renamed = await editor.operate("RENAME_FILE", renaming);
    await renamed.body?.cancel();
    const listed = (await Array.fromAsync(Deno.readDir(join(app.root, name)))).map(({ name }) =>
      name
    );
    assert.equal(listed.length, 1, `${target}: ${listed}`);
    assert.deepEqual([...Deno.readDirSync(join(app.root, "outside"))].length, 1, target);
    // A name that is one is given, in the same folder; it is taken back.
    const back = { lock: "L", headers: { "x-wopi-requestedname": "a" } };
    await assertStatus(await editor.operate("RENAME_FILE", back), 200, target);
  }
  const id = editor.path.split("/").at(-1) ?? "";
  const query = `?access_token=${editor.token}`;
  const paths = [
    ...["/wopi/files/../../outside/secret.odt", `/wopi/files/${id}/../x`, "/wopi/files/%2e%2e"],
    ...[`/wopi/files/${id}%2fcontents`, `/wopi/files/${id}/contents/..`, "/wopi/files/a.odt"],
    ...[`/wopi/files/${id}%00`, `/wopi/folders/${id}`, "/wopi/", "/wopi/files/__proto__"],
  ];
  for (const path of paths) {
    const proof = await office.proofOf(editor.token, `http://cubby.test${path}${query}`);
    const answer = await app.call("GET", path + query, { headers: proof });
    await answer.body?.cancel();
    // Some are no addresses of WOPI any more: they lead to the sign-in page.
    assert.ok([302, 400, 401, 404].includes(answer.status), `${path} ${answer.status}`);
  }
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  assert.equal(await content(), name);
  // What lies outside, by a link in the home, is opened for nobody.
  await Deno.symlink(join(app.root, "outside/secret.odt"), join(app.root, name, "link.odt"));
  const linked = await app.call("POST", "/api/office/link.odt", { token });
  await linked.body?.cancel();
  assert.ok(linked.status >= 400, String(linked.status));
});

Deno.test("headers with NUL, line breaks, other characters or without end are refused", async () => {
  const { editor, content, name } = await someone();
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const path = `${editor.path}?access_token=${editor.token}`;
  const proof = await office.proofOf(editor.token, `http://cubby.test${path}`);
  const send = (headers: Record<string, string>) =>
    sendRaw(
      to,
      requestHead("POST", path, { ...proof, ...headers, "content-length": 0, connection: "close" }),
    );
  const odd = [
    ...["a\u0000b", "a\r\nx-wopi-lock: forged", "a\nb", "a\rb", "\u00ff\u00fe", "x".repeat(70_000)],
  ];
  for (const value of odd) {
    for (
      const header of ["x-wopi-lock", "x-wopi-oldlock", "x-wopi-override", "x-wopi-requestedname"]
    ) {
      const override = header === "x-wopi-requestedname" ? "RENAME_FILE" : "LOCK";
      const headers = { "x-wopi-override": override, "x-wopi-lock": "M", [header]: value };
      const { status, headers: got, body } = await send(headers);
      assert.ok(
        Number.isNaN(status) || status >= 400,
        `${header} ${JSON.stringify(value)} ${status} ${body}`,
      );
      assert.equal(got.get("forged"), null);
    }
  }
  const held = await editor.operate("GET_LOCK");
  assert.equal(held.headers.get("x-wopi-lock"), "L");
  await assertStatus(await editor.operate("UNLOCK", { lock: "L" }), 200);
  assert.equal(await content(), name);
});

Deno.test("locks are not stolen, by those who guess, replace, refresh or unlock them", async () => {
  const { editor, content, name, token } = await someone();
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const thief = await open("/a.odt", token);
  for (const lock of ["M", "l", "LL", "%4c", "*"]) {
    const old = (former: string) => ({ lock, headers: { "x-wopi-oldlock": former } });
    const attempts = [
      thief.operate("LOCK", { lock }),
      thief.operate("LOCK", old("M")),
      thief.operate("LOCK", old(lock)),
      thief.operate("REFRESH_LOCK", { lock }),
      thief.operate("UNLOCK", { lock }),
      thief.save("stolen", { lock }),
      thief.operate("RENAME_FILE", { lock, headers: { "x-wopi-requestedname": "x" } }),
    ];
    for (const answer of await Promise.all(attempts)) {
      const text = await answer.text();
      assert.equal(answer.status, 409, `${lock} ${answer.status} ${text}`);
    }
    const held = await editor.operate("GET_LOCK");
    assert.equal(held.headers.get("x-wopi-lock"), "L");
  }
  assert.equal(await content(), name);
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, at) => thief.operate("LOCK", { lock: `N${at}`, headers: { "x-wopi-oldlock": "L" } }),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  for (const answer of answers) await answer.body?.cancel();
  assert.equal(won.length, 1, "of many who replace a lock at once, one does");
});

Deno.test("no token, and no lock, is in the log or in the activity log", async () => {
  await keepActivity(app, "reads");
  const { editor, name, token } = await someone();
  const lock = "a-secret-lock-id";
  await assertStatus(await editor.info({ accessToken: `${editor.token}x` }), 401);
  await assertStatus(await editor.info({ proof: {} }), 500);
  await assertStatus(await editor.operate("LOCK", { lock }), 200);
  await assertStatus(await editor.read(), 200);
  await assertStatus(await editor.save("logged", { lock }), 200);
  await assertStatus(await editor.operate("PUT_RELATIVE", { lock }), 501);
  await assertStatus(await editor.operate("UNLOCK", { lock }), 200);
  const again = editorOf(await (await app.call("POST", "/api/office/a.odt", { token })).json());
  await assertStatus(await again.info(), 200);
  const isSaved = (records: AuditRecord[]) =>
    records.some(({ action, path }) => action === "save" && path === `/${name}/a.odt`);
  const records = await activitiesOnce(app, isSaved);
  await keepActivity(app, "off");
  await app.cubby.audit.flush();
  assert.ok(isSaved(records));
  const logged = JSON.stringify([app.log.lines, app.log.requests, records]);
  assert.match(logged, /\/wopi\/files\//);
  for (const secret of [editor.token, again.token]) {
    const [, claims = "", signature = ""] = secret.split(".");
    assert.ok(!logged.includes(signature) && !logged.includes(claims));
  }
  assert.ok(!logged.includes(lock));
  assert.doesNotMatch(logged, /access_token/);
});
