import assert from "node:assert/strict";
import { join } from "node:path";
import type { UserFields } from "../../../lib/shared/schemas/user.ts";
import type { AccessAnswer } from "../../../lib/shared/schemas/access.ts";
import {
  type AskedAction,
  askedActions,
} from "../../../lib/shared/schemas/choices/access_choices.ts";
import { noPermissions } from "../../../lib/server/core/access/viewer.ts";
import { allow, deny, denyMatching } from "../../support/data/rules.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { beginTotp, codeOf } from "../../support/clients/factors.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    home: {
      docs: { "a.txt": "one", "b.tmp": "two", ".secret": "three" },
      closed: { "c.txt": "four" },
    },
    other: { "d.txt": "five" },
  },
});
Deno.test.afterAll(app.close);
await Deno.symlink(join(app.root, "other"), join(app.root, "home/docs/out"));
await Deno.symlink("../closed/c.txt", join(app.root, "home/docs/in"));
const admin = await app.tokenOf("admin");
const nobody = noPermissions();
let count = 0;

async function addUser(fields: Partial<Omit<UserFields, "perm">> & { perm?: object } = {}) {
  const { user } = await app.addUser(`user ${++count}`, { scope: "/home", ...fields } as object);
  return user.id;
}

async function ask(id: number, path: string, token = admin): Promise<AccessAnswer> {
  const url = `/api/users/${id}/access?path=${encodeURIComponent(path)}`;
  const answer = await app.call("GET", url, { token });
  assert.equal(answer.status, 200);
  return await answer.json();
}

function of({ actions }: AccessAnswer, wanted: AskedAction) {
  return actions.find(({ action }) => action === wanted) ?? assert.fail(wanted);
}

const kindsOf = (answer: AccessAnswer, action: AskedAction) =>
  of(answer, action).reasons.map(({ kind, permission, rule }) => permission ?? rule?.place ?? kind);

Deno.test("only administrators are told, and of users and paths that can be", async () => {
  const id = await addUser();
  const { token } = await app.addUser("curious");
  const url = `/api/users/${id}/access`;
  await assertRefused(await app.call("GET", url, { token: "" }), 401, "not_signed_in");
  await assertRefused(await app.call("GET", url, { token }), 403, "forbidden");
  const own = `/api/users/${(await app.cubby.users.byName("curious"))?.id}/access`;
  await assertRefused(await app.call("GET", own, { token }), 403, "forbidden");
  const none = await app.call("GET", "/api/users/999/access", { token: admin });
  await assertRefused(none, 404, "not_found");
  const climbing = await app.call("GET", `${url}?path=/../x`, { token: admin });
  await assertRefused(climbing, 400, "invalid_path");
});

Deno.test("an administrator with a scope is told of nothing outside of it, nor of what its rules deny", async () => {
  const boss = await app.addUser("boss", { perm: { admin: true }, scope: "/home/docs" });
  const id = await addUser();
  for (const path of ["/", "/closed", "/closed/c.txt", "/docs-none"]) {
    const url = `/api/users/${id}/access?path=${path}`;
    await assertRefused(await app.call("GET", url, { token: boss.token }), 403, "forbidden");
  }
  const answer = await ask(id, "/docs", boss.token);
  assert.ok(answer.entries?.some(({ name }) => name === "a.txt"));
  // Nor of what is behind a link that leads out of it.
  const linked = `/api/users/${id}/access?path=/docs/in`;
  await assertRefused(await app.call("GET", linked, { token: boss.token }), 403, "forbidden");

  const ruled = await app.addUser("ruled", {
    perm: { admin: true },
    rules: [deny("/home/closed")],
  });
  const url = `/api/users/${id}/access?path=/closed`;
  await assertRefused(await app.call("GET", url, { token: ruled.token }), 403, "forbidden");
  const names = (await ask(id, "/", ruled.token)).entries?.map(({ name }) => name);
  assert.deepEqual(names, ["docs"]);
});

Deno.test("a user with all permissions may do it all, where commands run and are given", async () => {
  const id = await addUser();
  const answer = await ask(id, "/docs/a.txt");
  for (const action of askedActions) {
    if (action === "run") continue;
    assert.deepEqual(of(answer, action), { action, allowed: true, reasons: [] });
  }
  assert.deepEqual(kindsOf(await ask(id, "/docs"), "run"), [
    "commands_off",
    "no_commands",
    "execute",
  ]);
});

Deno.test("each permission that is missing is named, all of an action at once", async () => {
  const perm = { create: false, modify: false, rename: false, delete: false, share: false };
  const id = await addUser({ perm: { ...perm, download: false } });
  const answer = await ask(id, "/docs/a.txt");
  assert.ok(of(answer, "view").allowed);
  assert.deepEqual(kindsOf(answer, "download"), ["download"]);
  assert.deepEqual(kindsOf(answer, "create"), ["create"]);
  assert.deepEqual(kindsOf(answer, "change"), ["modify"]);
  assert.deepEqual(kindsOf(answer, "rename"), ["rename"]);
  assert.deepEqual(kindsOf(answer, "delete"), ["delete"]);
  assert.deepEqual(kindsOf(answer, "share"), ["share", "download"]);
});

Deno.test("the rule that denies is named, with its list and place, and what it denies", async () => {
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, rules: [allow("/x"), deny("/closed")] });
  const id = await addUser({ perm: { delete: false }, rules: [denyMatching("\\.tmp$")] });
  const closed = await ask(id, "/closed/c.txt");
  assert.deepEqual(of(closed, "view").reasons, [{
    kind: "rule",
    permission: null,
    rule: { list: "global", group: null, place: 2, text: "/closed" },
    path: "/closed/c.txt",
  }]);
  assert.deepEqual(kindsOf(closed, "delete"), ["delete", 2]);
  const own = await ask(id, "/docs/b.tmp");
  assert.deepEqual(of(own, "download").reasons[0]?.rule, {
    list: "user",
    group: null,
    place: 1,
    text: "\\.tmp$",
  });
  // A link is denied by what it leads to; it can be deleted itself as little.
  const linked = of(await ask(id, "/docs/in"), "view").reasons;
  assert.deepEqual(linked.map(({ rule, path }) => [rule?.place, path]), [[2, "/closed/c.txt"]]);
  await app.cubby.settings.update(settings);
});

Deno.test("a global rule is told of to administrators, whom it denies as well, and nothing below", async () => {
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, rules: [deny("/other")] });
  const id = await addUser({ scope: "/" });
  const answer = await ask(id, "/other");
  assert.equal(of(answer, "view").reasons[0]?.rule?.text, "/other");
  assert.equal(answer.entries, null);
  const top = (await ask(id, "/")).entries?.map(({ name, reasons }) => [name, reasons[0]?.kind]);
  assert.deepEqual(top, [["home", undefined], ["other", "rule"]]);
  await app.cubby.settings.update(settings);
});

Deno.test("what groups give is given, and their rules are told from the user's own", async () => {
  const { groups } = app.cubby.users;
  const quota = { bytes: 0, files: 0 };
  const perm = { ...nobody, delete: true };
  const first = await groups.create({ name: "first", perm, rules: [deny("/x")], roots: [], quota });
  const rules = [deny("/y"), deny("/docs/a.txt")];
  const second = await groups.create({ name: "second", perm: nobody, rules, roots: [], quota });
  const id = await addUser({
    perm: { delete: false, rename: false },
    rules: [deny("/closed")],
    groups: [second.id, first.id],
  });
  const ruled = await ask(id, "/docs/a.txt");
  assert.deepEqual(of(ruled, "view").reasons[0]?.rule, {
    list: "group",
    group: "second",
    place: 2,
    text: "/docs/a.txt",
  });
  assert.deepEqual(of(await ask(id, "/closed"), "view").reasons[0]?.rule, {
    list: "user",
    group: null,
    place: 1,
    text: "/closed",
  });
  const given = await ask(id, "/docs/b.tmp");
  assert.ok(of(given, "delete").allowed);
  assert.deepEqual(kindsOf(given, "rename"), ["rename"]);
});

Deno.test("names, links that lead out, the scope and its root are told apart", async () => {
  const id = await addUser({ hideDotfiles: true });
  assert.deepEqual(kindsOf(await ask(id, "/docs/.secret"), "view"), ["hidden"]);
  assert.deepEqual(kindsOf(await ask(id, "/docs/out"), "view"), ["link"]);
  assert.ok(of(await ask(id, "/docs/out"), "delete").allowed);
  assert.deepEqual(kindsOf(await ask(id, "/docs/none"), "view"), ["missing"]);
  assert.ok(of(await ask(id, "/docs/none"), "create").allowed);
  assert.deepEqual(kindsOf(await ask(id, "/docs/a.txt/b"), "create"), ["blocked"]);
  assert.deepEqual(kindsOf(await ask(id, "/"), "delete"), ["top"]);
  const lost = await addUser({ scope: "/nowhere" });
  assert.deepEqual(kindsOf(await ask(lost, "/a"), "view"), ["scope"]);
});

Deno.test("a quota that is used up and second factors that are wanted stand against it, too", async () => {
  const id = await addUser({ scope: "/other", quota: { bytes: 2, files: 0 } });
  await app.cubby.quotas.recount(await app.cubby.users.get(id));
  assert.deepEqual(kindsOf(await ask(id, "/"), "create"), ["quota"]);
  assert.ok(of(await ask(id, "/d.txt"), "download").allowed);

  const chief = await app.addUser("chief", { perm: { admin: true } });
  const { setup, secret } = await beginTotp(app, chief.token);
  const json = { setup, app_code: codeOf(secret), current_password: userPassword };
  const answer = await app.call("PUT", "/api/factors/totp", { token: chief.token, json });
  const { token } = await answer.json();
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, requireSecondFactor: "everybody" });
  assert.deepEqual(kindsOf(await ask(id, "/", token), "view"), ["enrol"]);
  await app.cubby.settings.update(settings);
});

Deno.test("a folder is told as the user sees it, with why each other entry is hidden", async () => {
  const id = await addUser({
    hideDotfiles: true,
    rules: [denyMatching("\\.tmp$"), deny("/closed")],
  });
  const { entries, more } = await ask(id, "/docs");
  const told = entries?.map(({ name, reasons: [reason] }) => [name, reason?.kind ?? "seen"]);
  assert.deepEqual(
    new Map(told as [string, string][]),
    new Map([
      [".secret", "hidden"],
      ["a.txt", "seen"],
      ["b.tmp", "rule"],
      ["in", "rule"],
      ["out", "seen"],
    ]),
  );
  assert.equal(more, 0);
  assert.equal((await ask(id, "/docs/a.txt")).entries, null);
  const closed = await ask(id, "/closed");
  assert.deepEqual(closed.entries?.map(({ name, reasons }) => [name, reasons.length]), [
    ["c.txt", 1],
  ]);
});

Deno.test("what is told is what the user's own calls are answered with", async () => {
  const { user, token } = await app.addUser("proof", {
    scope: "/home",
    perm: { download: false },
    rules: [denyMatching("\\.tmp$"), deny("/closed")],
  });
  for (const path of ["/docs/a.txt", "/docs/b.tmp", "/docs/in", "/closed/c.txt", "/docs/.secret"]) {
    const answer = await ask(user.id, path);
    const view = await app.call("GET", `/api/resources${path}`, { token });
    assert.equal(of(answer, "view").allowed, view.ok, `view ${path}`);
    await view.body?.cancel();
    const raw = await app.call("GET", `/api/raw${path}`, { token });
    assert.equal(of(answer, "download").allowed, raw.ok, `download ${path}`);
    await raw.body?.cancel();
    const put = await app.call("PUT", `/api/resources${path}`, { token, body: "new" });
    assert.equal(of(answer, "change").allowed, put.ok, `change ${path}`);
    await put.body?.cancel();
  }
});
