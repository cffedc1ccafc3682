// With two threads, too: locks and shares that end, rights, and what each thread counts of visitors.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AuditRecord } from "../../../lib/shared/schemas/audit.ts";
import { editorsOf, startOfficeServer } from "../../support/office/office_server.ts";
import { startApp } from "../../support/server/app.ts";
import { activitiesOnce, keepActivity } from "../../support/server/audited.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { delay } from "../../../lib/shared/delay.ts";

const office = await startOfficeServer();
const app = await startApp({
  config: {
    office: { url: office.url, publicUrl: office.url },
    trustedProxies: ["127.0.0.1"],
  },
});
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
Deno.test.afterEach(() => app.cubby.audit.flush());
const { open, editorOf } = editorsOf(app, office);
const { shares, users } = app.cubby;
const call = "/api/public/office/";
let homes = 0;

/** Where a visitor is, and in which language. */
interface Visiting {
  /** The address; one of the share's own unless given. */
  from?: string;
  language?: string;
}

/** A shared folder with a document, of an owner of its own. */
async function shared(json: object = { anyoneMay: "edit" }) {
  const name = `owner${homes++}`;
  const folder = join(app.root, name, "docs");
  await Deno.mkdir(folder, { recursive: true });
  for (const each of ["a.odt", "b.odt"]) await Deno.writeTextFile(join(folder, each), "ours");
  const { token, user } = await app.addUser(name, { scope: `/${name}` });
  const made = await app.call("POST", "/api/share/docs", { token, json });
  assert.equal(made.status, 200, await made.clone().text());
  const { hash } = await made.json();
  const content = (of = "a.odt") => Deno.readTextFile(join(folder, of));
  const visit = async (typed = "", file = "a.odt", options: Visiting = {}) => {
    const { from = `198.51.100.${homes}`, language = "" } = options;
    const query = new URLSearchParams({ name: typed, language });
    const opened = await app.call("POST", `${call}${hash}/${file}?${query}`, { from });
    assert.equal(opened.status, 200, await opened.clone().text());
    return editorOf(await opened.json());
  };
  return { hash, user, token, folder, content, visit };
}

type Shared = Awaited<ReturnType<typeof shared>>;

Deno.test("a visitor of a link to edit opens, locks, saves and unlocks a document", async () => {
  await keepActivity(app, "changes");
  const { content, hash, visit } = await shared();
  const ada = await visit("Ada");
  assert.equal(ada.right, "edit");
  const info = await (await ada.info()).json();
  assert.deepEqual(
    [info.UserFriendlyName, info.IsAnonymousUser, info.UserCanWrite, info.SupportsRename],
    ["Ada (guest)", true, true, true],
  );
  assert.match(info.UserId, /^visitor-/);
  const bea = await visit("Bea");
  const other = await (await bea.info()).json();
  assert.notEqual(other.UserId, info.UserId, "visitors are told apart");
  await assertStatus(await ada.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await bea.operate("LOCK", { lock: "M" }), 409, "one lock holds");
  await assertStatus(await bea.save("lost", { lock: "M" }), 409);
  await assertStatus(await ada.save("by a visitor", { lock: "L" }), 200);
  assert.equal(await content(), "by a visitor");
  await assertStatus(await ada.operate("UNLOCK", { lock: "L" }), 200);
  const saves = (all: AuditRecord[]) =>
    all.filter(({ action, subject }) => action === "save" && subject === hash);
  const [save] = saves(await activitiesOnce(app, (all) => saves(all).length > 0));
  assert.deepEqual([save?.user, save?.userId], ["Ada (guest)", null]);
});

Deno.test("no name makes a visitor somebody else", async () => {
  const { token, user } = await app.addUser("admin two", { perm: { admin: true } });
  const { visit } = await shared();
  const typed: [string, string][] = [
    ["admin two", "admin two (guest)"],
    ["\u202eowt nimda\u202c", "owt nimda (guest)"],
    ["admin two (administrator)\r\nX: y", "admin two administrator X: y (guest)"],
    ["x".repeat(300), `${"x".repeat(40)} (guest)`],
    ["\u200b\u3164", "Guest"],
    ["", "Guest"],
  ];
  for (const [name, shown] of typed) {
    const info = await (await (await visit(name)).info()).json();
    assert.equal(info.UserFriendlyName, shown);
    assert.notEqual(info.UserId, `user-${user.id}`);
    assert.equal(info.IsAnonymousUser, true);
  }
  const { hash } = await shared();
  const own = await open(`${hash}/a.odt?name=Eve`, token, call);
  const info = await (await own.info()).json();
  assert.deepEqual([info.UserFriendlyName, info.IsAnonymousUser], ["admin two", false]);
});

Deno.test("a visitor is marked as a guest in the visitor's own language, and in English in the log", async () => {
  await keepActivity(app, "changes");
  const { hash, visit } = await shared();
  const from = "203.0.113.77";
  for (
    const [language, shown, unnamed] of [
      ["de", "Anna (Gast)", "Gast"],
      ["pt-BR", "Anna (convidado)", "Convidado"],
      ["uk", "Anna (гість)", "Гість"],
      ["zh-CN", "Anna（访客）", "访客"],
      ["xx", "Anna (guest)", "Guest"],
    ] as const
  ) {
    const named = await visit("\u202eAnna\u200b\u2069", "a.odt", { from, language });
    const nameless = await visit("\u2066\u200b", "a.odt", { from, language });
    for (const [editor, name] of [[named, shown], [nameless, unnamed]] as const) {
      const info = await (await editor.info()).json();
      assert.deepEqual([info.UserFriendlyName, info.IsAnonymousUser], [name, true], language);
    }
  }
  const ada = await visit("Anna", "a.odt", { from, language: "de" });
  await assertStatus(await ada.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await ada.save("by a visitor", { lock: "L" }), 200);
  const saves = (all: AuditRecord[]) =>
    all.filter(({ action, subject }) => action === "save" && subject === hash);
  const [save] = saves(await activitiesOnce(app, (all) => saves(all).length > 0));
  assert.deepEqual([save?.user, save?.userId, save?.address], ["Anna (guest)", null, from]);
});

/** Saves until that is refused. @returns the refusal, and what was saved last */
async function saveUntilRefused(save: (body: string) => Promise<Response>) {
  let last = "";
  for (let turn = 0; turn < 1_500; turn++) {
    const body = `save ${turn}`;
    const answer = await save(body);
    if (answer.status !== 200) return { answer, last };
    await answer.body?.cancel();
    last = body;
  }
  throw new Error("No save was refused");
}

/** @returns after how many seconds the next save works, as the answer tells */
async function assertThrottled(answer: Response): Promise<number> {
  assert.equal(answer.status, 429);
  assert.match(answer.headers.get("x-wopi-servererror") ?? "", /^Cannot save "a\.odt": visitors/);
  assert.equal(answer.headers.get("x-wopi-lock"), null, "it is no conflict");
  assert.equal((await answer.json()).code, "throttled");
  const seconds = Number(answer.headers.get("retry-after"));
  assert.ok(seconds > 0 && seconds < 60, String(seconds));
  return seconds;
}

Deno.test("saves from one address have a limit; the document stays open, and the next save works", async () => {
  const { content, visit } = await shared();
  const ada = await visit("Ada", "a.odt", { from: "203.0.113.1" });
  await assertStatus(await ada.operate("LOCK", { lock: "L" }), 200);
  const { answer, last } = await saveUntilRefused((body) => ada.save(body, { lock: "L" }));
  const seconds = await assertThrottled(answer);
  assert.equal(await content(), last, "what was refused has changed nothing");
  await assertStatus(await ada.info(), 200);
  await assertStatus(await ada.operate("REFRESH_LOCK", { lock: "L" }), 200);
  assert.equal(await (await ada.read()).text(), last);
  const bea = await visit("Bea", "b.odt", { from: "203.0.113.2" });
  await assertStatus(await bea.operate("LOCK", { lock: "M" }), 200);
  await assertStatus(await bea.save("of another", { lock: "M" }), 200, "others go on");
  await delay(seconds * 1000);
  await assertStatus(await ada.save("at last", { lock: "L" }), 200, "the next save works");
  assert.equal(await content(), "at last");
});

Deno.test("saves by one link have a limit, from however many addresses", async () => {
  const { content, visit } = await shared();
  const perAddress = 20;
  let turn = 0;
  let editor = await visit("0");
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  const { answer, last } = await saveUntilRefused(async (body) => {
    if (turn % perAddress === 0) {
      editor = await visit("Ada", "a.odt", { from: `203.0.113.${10 + turn / perAddress}` });
      await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
    }
    turn++;
    return await editor.save(body, { lock: "L" });
  });
  await assertThrottled(answer);
  assert.equal(await content(), last);
  const other = await (await shared()).visit("Ada", "a.odt", { from: "203.0.113.9" });
  await assertStatus(await other.operate("LOCK", { lock: "L" }), 200);
  await assertStatus(await other.save("by another link", { lock: "L" }), 200, "others go on");
});

Deno.test("the bytes of saves have a limit: a document of any size is saved, and the next save waits", async () => {
  const { content, visit } = await shared();
  const ada = await visit("Ada", "a.odt", { from: "203.0.113.3" });
  await assertStatus(await ada.operate("LOCK", { lock: "L" }), 200);
  const mebibyte = new Uint8Array(1024 ** 2);
  const large = new Blob(Array<Uint8Array<ArrayBuffer>>(160).fill(mebibyte));
  await assertStatus(await ada.save(large, { lock: "L" }), 200);
  let count = 0;
  const { answer, last } = await saveUntilRefused((body) => {
    count++;
    return ada.save(body, { lock: "L" });
  });
  await assertThrottled(answer);
  assert.ok(count < 30, "not for their number");
  if (last !== "") assert.equal(await content(), last);
  await assertStatus(await ada.operate("REFRESH_LOCK", { lock: "L" }), 200);
});

Deno.test("users who edit by a link are not counted as visitors", async () => {
  const { hash } = await shared();
  const { token } = await app.addUser("busy bee");
  const own = await open(`${hash}/a.odt`, token, call);
  await assertStatus(await own.operate("LOCK", { lock: "L" }), 200);
  for (let turn = 0; turn < 80; turn++) {
    await assertStatus(await own.save(`save ${turn}`, { lock: "L" }), 200);
  }
});

Deno.test("links to less, and wrong ones, open no document to edit", async () => {
  for (const anyoneMay of ["view", "download", "upload"]) {
    const { content, visit } = await shared({ anyoneMay });
    const viewer = await visit("Eve");
    assert.equal(viewer.right, "view", anyoneMay);
    await assertStatus(await viewer.operate("LOCK", { lock: "L" }), 404, anyoneMay);
    await assertStatus(await viewer.save("attack", { lock: "L" }), 404, anyoneMay);
    assert.equal(await content(), "ours");
  }
  const locked = await shared({ anyoneMay: "edit", password: "open sesame 1" });
  const limited = await shared({ anyoneMay: "edit", downloadLimit: 3 });
  const other = await shared({ anyoneMay: "edit", password: "open sesame 2" });
  const headers = { "x-share-password": encodeURIComponent("open sesame 2") };
  const entered = await app.call("GET", `/api/public/share/${other.hash}`, { headers });
  const { token } = await entered.json();
  const refused: [path: string, status: number][] = [
    ["none/a.odt", 404],
    [`${locked.hash}x/a.odt`, 404],
    [`${locked.hash}/a.odt`, 401],
    [`${locked.hash}/a.odt?token=${token}`, 401],
    [`${limited.hash}/a.odt`, 403],
    [`${other.hash}/..%2fa.odt?token=${token}`, 400],
  ];
  for (const [path, status] of refused) {
    await assertStatus(await app.call("POST", call + path), status, path);
  }
});

Deno.test("a visitor's token is for one document, and for no link out of the share", async () => {
  const { folder, hash, visit } = await shared();
  const [one, two] = [await visit("Ada"), await visit("Ada", "b.odt")];
  await assertStatus(await two.info({ accessToken: one.token }), 401);
  await assertStatus(await two.save("attack", { accessToken: one.token, lock: "L" }), 401);
  await Deno.writeTextFile(join(folder, "../beside.odt"), "beside");
  await Deno.symlink("../beside.odt", join(folder, "link.odt"));
  const out = await app.call("POST", `${call}${hash}/link.odt`);
  assert.ok([403, 404].includes(out.status), String(out.status));
  await out.body?.cancel();
});

Deno.test("what ends the right of a link ends it in a document that is open", async () => {
  const terms = (change: object) => ({ hash }: Shared) => shares.change(hash, { terms: change });
  const without = (name: string) => ({ user }: Shared) =>
    users.update(user.id, { perm: { ...user.perm, [name]: false } });
  const endings: Record<string, (of: Shared) => Promise<unknown>> = {
    "a password": ({ hash }) => shares.change(hash, { password: "new one 77" }),
    "to view": terms({ anyoneMay: "view" }),
    "to download": terms({ anyoneMay: "download" }),
    "view only": terms({ viewOnly: true }),
    "closed": terms({ audience: { users: [], groups: [] } }),
    "expired": ({ hash }) => shares.change(hash, { seconds: -10 }),
    "ended": async ({ hash }) => await shares.remove(await shares.get(hash)),
    "the owner": ({ user }) => users.remove(user.id),
    "the owner's right to share": without("share"),
    "the owner's right to modify": without("modify"),
    "the owner's right to delete": without("delete"),
  };
  for (const [told, end] of Object.entries(endings)) {
    const of = await shared();
    const ada = await of.visit("Ada");
    await assertStatus(await ada.operate("LOCK", { lock: "L" }), 200, told);
    await end(of);
    const answers = [
      await ada.save("attack", { lock: "L" }),
      await ada.operate("LOCK", { lock: "L" }),
      await ada.operate("REFRESH_LOCK", { lock: "L" }),
      await ada.operate("RENAME_FILE", { lock: "L", headers: { "x-wopi-requestedname": "x" } }),
    ];
    for (const answer of answers) {
      assert.ok([401, 404].includes(answer.status), `${told} ${answer.status}`);
      await answer.body?.cancel();
    }
    assert.equal(await of.content(), "ours", told);
  }
});
