// With two threads, too: shares, rights and uploads that visitors use from any thread.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ShareTerms } from "../../../lib/server/features/links/shares/share.ts";
import type {
  PermissionName,
  RecipientRight,
} from "../../../lib/shared/schemas/choices/choices.ts";
import type { AuditRecord } from "../../../lib/shared/schemas/audit.ts";
import { halfSent } from "../../support/clients/half_sent.ts";
import { deny } from "../../support/data/rules.ts";
import { type CallOptions, startApp } from "../../support/server/app.ts";
import { activitiesOnce, keepActivity } from "../../support/server/audited.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { listed, sharedHomes } from "../../support/server/shared_homes.ts";

const app = await startApp({
  config: { trustedProxies: ["127.0.0.1"] },
  tree: { outside: { "o.txt": "outside" } },
});
Deno.test.afterAll(app.close);
Deno.test.afterEach(() => app.cubby.audit.flush());
const { person, owner, shareOf, inReadOnlyRoot } = sharedHomes(app);
const { shares, users, apiTokens } = app.cubby;

const at = (path: string) => `/api/public/share/${path}`;
const read = (...path: string[]) => Deno.readTextFile(join(...path));
const rename = (to: string) => `action=rename&destination=${to}`;
const uploadHeaders = (name: string, length: number) => ({
  "upload-length": String(length),
  "upload-metadata": `filename ${new TextEncoder().encode(name).toBase64()}`,
  "content-type": "application/offset+octet-stream",
});

interface Asking extends Omit<CallOptions, "body"> {
  query?: string;
}

/** One call of each kind that changes what is there. */
async function editsOf(hash: string, { query = "", ...options }: Asking = {}): Promise<number[]> {
  const calls: [method: string, path: string, body?: string][] = [
    ["POST", `${at(`${hash}/made/`)}?${query}`],
    ["PUT", `${at(`${hash}/a.txt`)}?${query}`, "changed"],
    ["PATCH", `${at(`${hash}/a.txt`)}?${rename("/b.txt")}&${query}`],
    ["DELETE", `${at(`${hash}/b.txt`)}?${query}`],
  ];
  const statuses = [];
  for (const [method, path, body] of calls) {
    const answer = await app.call(method, path, { ...options, body });
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  return statuses;
}

/** Adds an empty file. */
async function statusOfAdding(hash: string, { query = "", ...options }: Asking = {}) {
  const headers = { ...options.headers, ...uploadHeaders("up.txt", 0) };
  const answer = await app.call("POST", `/api/public/tus/${hash}?${query}`, {
    ...options,
    headers,
  });
  await answer.body?.cancel();
  return answer.status;
}

const statusesOf = async (hash: string, options: Asking = {}) => [
  ...await editsOf(hash, options),
  await statusOfAdding(hash, options),
];

const done = [200, 200, 200, 200, 201];

async function assertUntouched(home: string, told: string): Promise<void> {
  assert.deepEqual(listed(join(home, "docs")), ["a.txt"], told);
  assert.equal(await read(home, "docs/a.txt"), "kept", told);
}

async function assertAllRefused(
  home: string,
  told: string,
  hash: string,
  options: Asking = {},
  expected = [401, 403, 404],
): Promise<void> {
  for (const status of await statusesOf(hash, options)) {
    assert.ok(expected.includes(status), `${told} ${status}`);
  }
  await assertUntouched(home, told);
}

const proof = (password: string) => ({
  headers: { "x-share-password": encodeURIComponent(password) },
});

Deno.test("a link gives visitors no more than its right, by which way ever they ask", async () => {
  const anna = await owner();
  for (const anyoneMay of ["view", "download"] as const) {
    const hash = await shareOf(anna.token, { anyoneMay });
    await assertAllRefused(anna.home, anyoneMay, hash, {}, [403]);
  }
  await assertAllRefused(anna.home, "none", await shareOf(anna.token, {}), {}, [403]);
  const shown = await shareOf(anna.token, { anyoneMay: "edit", viewOnly: true });
  await assertAllRefused(anna.home, "view only", shown, {}, [403]);
  const friend = await person();
  const audience = [{ name: friend.name, may: "edit" }];
  const closed = await shareOf(anna.token, { audience, anyoneMay: "edit" });
  await assertAllRefused(anna.home, "of those who are named alone", closed, {}, [404]);
  const lesser = await shareOf(anna.token, { audience, anyone: true, anyoneMay: "view" });
  await assertAllRefused(anna.home, "beside an editor", lesser, {}, [403]);
  const adding = await shareOf(anna.token, { anyoneMay: "upload" });
  assert.deepEqual(await statusesOf(adding), [403, 403, 403, 403, 201]);
  assert.deepEqual(listed(join(anna.home, "docs")), ["a.txt", "up.txt"]);
});

Deno.test("a wrong link, none, another share's token and no password change nothing", async () => {
  const anna = await owner();
  const edit = { anyoneMay: "edit" };
  const password = "open sesame 1";
  const locked = await shareOf(anna.token, { ...edit, password });
  const other = await shareOf(anna.token, { ...edit, password: "open sesame 2" });
  const entered = await app.call("GET", at(other), proof("open sesame 2"));
  const { token } = await entered.json();
  for (const wrong of ["none", "A".repeat(22), `${locked}x`, locked.slice(0, -1)]) {
    await assertAllRefused(anna.home, wrong, wrong, {}, [404]);
  }
  await assertAllRefused(anna.home, "no password", locked, {}, [401]);
  await assertAllRefused(anna.home, "another's token", locked, { query: `token=${token}` }, [401]);
  for (const guess of ["", "open sesame 2", "open%20sesame%201 "]) {
    const options = { ...proof(guess), from: "192.0.2.7" };
    await assertAllRefused(anna.home, `guess ${guess}`, locked, options, [401, 429]);
  }
  assert.deepEqual(await statusesOf(locked, proof(password)), done);
});

Deno.test("a former password and its token change nothing, also while a body comes", async () => {
  const anna = await owner();
  const docs = join(anna.home, "docs");
  const hash = await shareOf(anna.token, { anyoneMay: "edit", password: "open sesame 1" });
  const entered = await app.call("GET", at(hash), proof("open sesame 1"));
  const { token } = await entered.json();
  const body = halfSent(docs, () => shares.change(hash, { password: "open sesame 3" }));
  const save = await app.call("PUT", `${at(`${hash}/a.txt`)}?token=${token}`, { body });
  await assertRefused(save, 401, "password_required");
  await assertUntouched(anna.home, "while it came");
  await assertAllRefused(anna.home, "former", hash, { query: `token=${token}` }, [401]);
  await assertAllRefused(anna.home, "former password", hash, proof("open sesame 1"), [401]);
});

type Owner = Awaited<ReturnType<typeof owner>>;
type End = [told: string, end: (of: Owner, hash: string) => Promise<unknown>];

const without = (name: PermissionName): End => [
  `the owner's permission to ${name}`,
  (of) => users.update(of.user.id, { perm: { ...of.user.perm, [name]: false } }),
];
const withTerms = (told: string, terms: Partial<ShareTerms>): End => [
  told,
  (_, hash) => shares.change(hash, { terms }),
];

/** All ways in which the right of a link ends, by a name for each. */
const endings: End[] = [
  ...(["create", "share", "download"] as const).map(without),
  ["the owner's scope", (of) => users.update(of.user.id, { scope: "/outside" })],
  ["a rule of the owner", (of) => users.update(of.user.id, { rules: [deny("/docs")] })],
  ["the owner", (of) => users.remove(of.user.id)],
  ["the share", async (_, hash) => await shares.remove(await shares.get(hash))],
  ["its time", (_, hash) => shares.change(hash, { seconds: -10 })],
  withTerms("its right, to download", { anyoneMay: "download" }),
  withTerms("its right, to view", { anyoneMay: "view" }),
  withTerms("all rights but to view", { viewOnly: true }),
  withTerms("that it is open", { audience: { users: [1], groups: [] } }),
];

async function assertEndedFor(body: BodyInit, of: Owner, hash: string, told: string) {
  const save = await app.call("PUT", at(`${hash}/a.txt`), { body });
  assert.ok([403, 404].includes(save.status), `${told} ${save.status}`);
  await save.body?.cancel();
  await assertUntouched(of.home, told);
}

Deno.test("what ends the right of a link ends it at once, and for a body that is under way", async () => {
  for (const [told, end] of endings) {
    const now = await owner();
    const hash = await shareOf(now.token, { anyoneMay: "edit" });
    await end(now, hash);
    await assertAllRefused(now.home, told, hash, {}, [403, 404]);
    const later = await owner();
    const under = await shareOf(later.token, { anyoneMay: "edit" });
    const body = halfSent(join(later.home, "docs"), () => end(later, under));
    await assertEndedFor(body, later, under, told);
  }
  for (const [told, end] of (["modify", "rename", "delete"] as const).map(without)) {
    const anna = await owner();
    const hash = await shareOf(anna.token, { anyoneMay: "edit" });
    const body = halfSent(join(anna.home, "docs"), () => end(anna, hash));
    await assertEndedFor(body, anna, hash, told);
    assert.deepEqual(await editsOf(hash), Array(4).fill(403), told);
    await assertUntouched(anna.home, told);
    assert.equal(await statusOfAdding(hash), 201, "what the owner may do remains");
  }
});

Deno.test("an upload that was begun ends with the right, and no other visitor goes on with it", async () => {
  for (const [told, end] of endings) {
    const anna = await owner();
    const hash = await shareOf(anna.token, { anyoneMay: "edit" });
    const headers = uploadHeaders("up.txt", 4);
    const begun = await app.call("POST", `/api/public/tus/${hash}`, { headers });
    await assertStatus(begun, 201, told);
    const place = begun.headers.get("location") ?? "";
    const go = (where: string, options: CallOptions = {}) =>
      app.call("PATCH", where, {
        ...options,
        headers: { "content-type": "application/offset+octet-stream", "upload-offset": "0" },
        body: "four",
      });
    const elsewhere = place.replace(/upload=.*/, `upload=${"A".repeat(22)}`);
    await assertStatus(await go(elsewhere), 404, told);
    const { token } = await person();
    await assertStatus(await go(place, { token }), 404, "not by a user, either");
    await end(anna, hash);
    const late = await go(place);
    assert.ok([403, 404].includes(late.status), `${told} ${late.status}`);
    await late.body?.cancel();
    assert.deepEqual(listed(join(anna.home, "docs")).filter((name) => !name.startsWith(".")), [
      "a.txt",
    ]);
  }
});

Deno.test("no path, no link and no name leads a visitor out of the share", async () => {
  const anna = await owner();
  const docs = join(anna.home, "docs");
  await Deno.symlink("..", join(docs, "up"));
  await Deno.symlink(join(app.root, "outside"), join(docs, "out"));
  await Deno.symlink("../beside.txt", join(docs, "file"));
  const hash = await shareOf(anna.token, { anyoneMay: "edit" });
  const ways = ["up/beside.txt", "out/o.txt", "file", "..%2fbeside.txt", "%2e%2e/beside.txt", "up"];
  for (const way of ways) {
    const answers = [
      await app.call("PUT", at(`${hash}/${way}`), { body: "out" }),
      await app.call("POST", at(`${hash}/${way}/made/`)),
      await app.call("PATCH", `${at(`${hash}/a.txt`)}?${rename(`/${way}/b.txt`)}`),
      await app.call("POST", `/api/public/tus/${hash}/${way}`, { headers: uploadHeaders("x", 0) }),
    ];
    for (const answer of answers) {
      assert.ok(answer.status >= 400 && answer.status < 500, `${way} ${answer.status}`);
      await answer.body?.cancel();
    }
  }
  const named = { headers: uploadHeaders("../../up/beside.txt", 0) };
  const added = await app.call("POST", `/api/public/tus/${hash}`, named);
  assert.ok([201, 400, 403, 404].includes(added.status));
  await added.body?.cancel();
  assert.deepEqual(listed(join(app.root, "outside")), ["o.txt"]);
  assert.equal(await read(app.root, "outside/o.txt"), "outside");
  assert.deepEqual(listed(anna.home).filter((name) => !name.startsWith(".")), [
    "beside.txt",
    "docs",
  ]);
  assert.equal(await read(anna.home, "beside.txt"), "beside");
  for (const [method, query] of [["DELETE", ""], ["PATCH", rename("/moved")]] as const) {
    const answer = await app.call(method, `${at(hash)}?${query}`);
    assert.ok([400, 403, 404].includes(answer.status), "the shared folder stays");
    await answer.body?.cancel();
  }
});

Deno.test("a share whose downloads are used up takes no changes", async () => {
  const anna = await owner();
  const hash = await shareOf(anna.token, { anyoneMay: "edit", downloadLimit: 1 });
  const taken = await app.call("GET", `/api/public/dl/${hash}/a.txt`);
  assert.equal(await taken.text(), "kept");
  await assertAllRefused(anna.home, "used up", hash, {}, [404]);
});

Deno.test("nobody gives by a link what the own rights, or those of a token, do not have", async () => {
  const anna = await owner();
  const draft = { name: "t", write: false, share: true, expires: null };
  const { secret } = await apiTokens.create(anna.user.id, draft, null);
  const share = (token: string, json: object, path = "/docs") =>
    app.call("POST", `/api/share${path}`, { token, json });
  const change = (token: string, hash: string, json: object) =>
    app.call("PATCH", `/api/share/${hash}`, { token, json });
  const plain = await shareOf(anna.token, {});
  const veiled = await shareOf(anna.token, { anyoneMay: "edit", viewOnly: true });
  for (const anyoneMay of ["upload", "edit"]) {
    await assertRefused(await share(secret, { anyoneMay }), 403, "forbidden");
    await assertRefused(await change(secret, plain, { anyoneMay }), 403, "forbidden");
  }
  await assertRefused(await change(secret, veiled, { viewOnly: false }), 403, "forbidden");
  const open = await shareOf(anna.token, { anyoneMay: "edit" });
  for (const json of [{ expires: 0 }, { password: "" }, { path: "/beside.txt" }]) {
    await assertRefused(await change(secret, open, json), 403, "forbidden");
  }
  await assertStatus(await change(secret, open, { anyoneMay: "view" }), 200);
  for (const lost of ["create", "modify", "rename", "delete"] as const) {
    const bob = await owner({ perm: { [lost]: false } });
    await assertRefused(await share(bob.token, { anyoneMay: "edit" }), 403, "forbidden", lost);
    await assertStatus(
      await share(bob.token, { anyoneMay: "upload" }),
      lost === "create" ? 403 : 200,
    );
  }
  for (const anyoneMay of ["admin", "", null, true, ["edit"]]) {
    await assertRefused(await share(anna.token, { anyoneMay }), 400, "invalid_body");
  }
  const { kept } = await inReadOnlyRoot({ anyoneMay: "edit" });
  assert.deepEqual(await statusesOf(kept), Array(5).fill(403), "a root that is read-only by now");
});

/** What was done by a share, but for visits. */
function changesOf(records: AuditRecord[], hash: string): AuditRecord[] {
  return records.filter(({ subject, action }) => subject === hash && !action.startsWith("share_"));
}

Deno.test("a user has no wider right than a visitor, and a cookie alone signs nobody in", async () => {
  const [anna, bob] = [await owner(), await person({ perm: { admin: true } })];
  const shown = await shareOf(anna.token, { anyoneMay: "view" });
  await assertAllRefused(anna.home, "an administrator", shown, { token: bob.token }, [403]);
  const hash = await shareOf(anna.token, { anyoneMay: "edit" });
  await keepActivity(app, "changes");
  const forged = { cookie: `auth=${bob.token}`, "sec-fetch-site": "cross-site" };
  for (
    const status of await statusesOf(hash, { headers: { ...forged, origin: "http://evil.test" } })
  ) {
    assert.equal(status, 403, "a page of another site");
  }
  await assertUntouched(anna.home, "forged");
  assert.deepEqual(await statusesOf(hash, { headers: { cookie: `auth=${bob.token}` } }), done);
  const records = await activitiesOnce(app, (all) => changesOf(all, hash).length >= 5);
  const doers = changesOf(records, hash).map(({ user, userId }) => `${user} ${userId}`);
  assert.deepEqual(doers, Array(5).fill("null null"));
});

Deno.test("the log names a visitor by address and as a guest, whatever name was typed", async () => {
  const anna = await owner();
  await keepActivity(app, "changes");
  const names: [typed: string, shown: string | null][] = [
    ["Anna", "Anna (guest)"],
    ["admin", "admin (guest)"],
    [anna.name, `${anna.name} (guest)`],
    ["\u202enimda\u202c (admin)\r\n\u0000", "nimda admin (guest)"],
    ["x".repeat(500), `${"x".repeat(40)} (guest)`],
    ["\u200b\u2800", null],
    ["", null],
  ];
  for (const [turn, [typed, shown]] of names.entries()) {
    const hash = await shareOf(anna.token, { anyoneMay: "edit" });
    const from = `192.0.2.${20 + turn}`;
    const query = `name=${encodeURIComponent(typed)}`;
    assert.deepEqual(await statusesOf(hash, { query, from }), done, typed);
    const records = await activitiesOnce(app, (all) => changesOf(all, hash).length >= 5);
    const ours = changesOf(records, hash);
    assert.deepEqual(ours.map(({ action }) => action).sort(), [
      ...["mkdir", "move", "save", "trash", "upload"],
    ]);
    for (const { user, userId, address } of ours) {
      assert.deepEqual([user, userId, address], [shown, null, from]);
    }
    await Deno.remove(join(anna.home, "docs/made"));
    await Deno.remove(join(anna.home, "docs/up.txt"));
    await Deno.writeTextFile(join(anna.home, "docs/a.txt"), "kept");
  }
});

Deno.test("what a visitor deletes is put back by whoever has its address, and by no user", async () => {
  const [anna, bob] = [await owner(), await person()];
  const audience = [{ name: bob.name, may: "edit" }];
  const hash = await shareOf(anna.token, { audience, anyone: true, anyoneMay: "edit" });
  const other = await shareOf(anna.token, { anyoneMay: "edit" });
  const gone = await app.call("DELETE", at(`${hash}/a.txt`));
  await assertStatus(gone, 200);
  const back = gone.headers.get("content-location") ?? "";
  await assertStatus(await app.call("POST", back, { token: bob.token }), 404, "another's");
  await assertStatus(await app.call("POST", back.replace(hash, other)), 404, "another share");
  const guess = back.replace(/[^/]+$/, "0mb3k2x9q-5f0c1d2e3a4b5c6d");
  await assertStatus(await app.call("POST", guess), 404, "another id");
  const theirs = await app.call("DELETE", at(`${hash}/none.txt`), { token: bob.token });
  await assertStatus(theirs, 404);
  await assertStatus(await app.call("POST", back), 200);
  await assertUntouched(anna.home, "put back");
  const byBob = await app.call("DELETE", at(`${hash}/a.txt`), { token: bob.token });
  await assertStatus(byBob, 200);
  const place = byBob.headers.get("content-location") ?? "";
  await assertStatus(await app.call("POST", place), 404, "a visitor takes back no user's");
});

Deno.test("visitors change within the owner's quota and rules, and not faster than is bearable", async () => {
  const anna = await owner({ quota: { bytes: 100, files: 0 }, rules: [deny("/docs/closed")] });
  const hash = await shareOf(anna.token, { anyoneMay: "edit" });
  const from = "192.0.2.99";
  const save = (body: string, name = "a.txt") =>
    app.call("PUT", at(`${hash}/${name}`), { body, from });
  await assertRefused(await save("x".repeat(120)), 507, "over_quota");
  await assertRefused(await save("x", "closed"), 403, "forbidden");
  await assertUntouched(anna.home, "quota and rules");
  const statuses = new Set<number>();
  for (let time = 0; time < 2_000 && !statuses.has(429); time++) {
    const answer = await app.call("POST", at(`${hash}/made/`), { from });
    statuses.add(answer.status);
    if (answer.status === 429) assert.ok(Number(answer.headers.get("retry-after")) > 0);
    await answer.body?.cancel();
  }
  assert.deepEqual([...statuses], [200, 429]);
  assert.equal(await statusOfAdding(hash, { from: "198.51.100.7" }), 201, "others go on");
});

Deno.test("a visitor gets no more of a named user's right than the link gives, and the reverse", async () => {
  const [anna, bob] = [await owner(), await person()];
  const rights: RecipientRight[] = ["view", "download", "upload", "edit"];
  for (const may of rights) {
    for (const anyoneMay of rights) {
      const audience = [{ name: bob.name, may }];
      const hash = await shareOf(anna.token, { audience, anyone: true, anyoneMay });
      const highest = rights[Math.max(rights.indexOf(may), rights.indexOf(anyoneMay))];
      for (const [token, right] of [["", anyoneMay], [bob.token, highest]] as const) {
        const told = `${may} ${anyoneMay} ${token !== ""}`;
        const taken = await app.call("GET", `/api/public/dl/${hash}/a.txt`, { token });
        await assertStatus(taken, right === "view" ? 403 : 200, told);
        const made = await app.call("POST", at(`${hash}/made/`), { token });
        await assertStatus(made, right === "edit" ? 200 : 403, told);
      }
    }
  }
});
