import assert from "node:assert/strict";
import type { Config } from "../../../lib/server/core/config/config.ts";
import type { LdapDirectory } from "../../../lib/server/core/config/ldap_options.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { admin } from "../../support/server/app_parts.ts";
import { davClient } from "../../support/clients/dav.ts";
import { startDirectory } from "../../support/services/directory.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const directory = await startDirectory();
const app = await open();
Deno.test.afterAll(async () => {
  await app.close();
  await directory[Symbol.asyncDispose]();
});
await directory.addPerson("anna", "rivers");
await directory.addPerson("bert", "meadows");
await directory.addPerson("nora", "lakes");

/** An application whose passwords the directory knows. */
async function open(
  ldap: Partial<LdapDirectory> = {},
  config: Partial<Config> = {},
): Promise<TestApp> {
  return await startApp({
    inProcess: true,
    config: { ldap: { ...directory.config, ...ldap }, ...config },
  });
}

let address = 0;

/** Signs in by the call, each time from another address. */
async function signIn(
  username: string,
  password: string,
  at = app,
  from = `10.0.0.${++address}`,
): Promise<Response> {
  return await at.call("POST", "/api/login", { json: { username, password }, from });
}

const wrong = [403, "wrong_credentials"] as const;

Deno.test("a wrong password, an unknown name and an empty password are refused alike", async () => {
  await assertRefused(await signIn("nora", "valleys"), ...wrong);
  await assertRefused(await signIn("nobody", "lakes"), ...wrong);
  // A bind without a password succeeds, and proves nothing.
  await assertRefused(await signIn("nora", ""), ...wrong);
  assert.equal(await app.cubby.users.byName("nora"), null);
});

Deno.test("a name is no filter, and no pattern", async () => {
  for (
    const name of ["*", "a*", "anna)(objectClass=*", "*)(uid=*))(|(uid=*", "anna\\2a", "anna\0"]
  ) {
    await assertRefused(await signIn(name, "rivers"), ...wrong);
  }
});

Deno.test("a name that two entries have signs nobody in", async () => {
  await directory.add("ou=other", { objectClass: ["organizationalUnit"], ou: "other" });
  await directory.addPerson("carl", "one");
  await directory.add("uid=carl,ou=other", {
    ...{ objectClass: ["inetOrgPerson"], cn: "carl", sn: "carl", userPassword: "two" },
  });
  for (const password of ["one", "two"]) {
    await assertRefused(await signIn("carl", password), ...wrong);
  }
  assert.match(app.log.lines.join("\n"), /"carl" by the directory: there are several such entries/);
});

Deno.test("wrong passwords are throttled as those of users here", async () => {
  await using other = await open();
  for (let tries = 0; tries < 5; tries++) {
    await assertRefused(await signIn("anna", "guess", other, "10.1.0.1"), ...wrong);
  }
  await assertRefused(await signIn("anna", "rivers", other, "10.1.0.1"), 429, "throttled");
});

Deno.test("the right password signs in a user who is made for it, and has no special rights", async () => {
  await assertStatus(await signIn("anna", "rivers"), 200);
  const anna = await app.cubby.users.byName("anna");
  assert.deepEqual([anna?.perm.admin, anna?.perm.execute, anna?.lockPassword], [
    false,
    false,
    true,
  ]);
  await assertStatus(await signIn(" Anna", "rivers"), 200);
  assert.equal((await app.cubby.users.byName("anna"))?.id, anna?.id);
});

Deno.test("an entry is known when it has another name, and its old name is nobody's", async () => {
  await assertStatus(await signIn("bert", "meadows"), 200);
  const bert = await app.cubby.users.byName("bert");
  await directory.rename("uid=bert", "uid=robert");
  await assertRefused(await signIn("bert", "meadows"), ...wrong);
  const answer = await signIn("robert", "meadows");
  const { user }: { user: { id: number } } = JSON.parse(
    atob((await answer.text()).split(".")[1] ?? ""),
  );
  assert.equal(user.id, bert?.id);
});

Deno.test("users who were made here keep their password, and no entry takes their name", async () => {
  await directory.addPerson("dora", "clouds");
  await app.addUser("dora");
  await assertRefused(await signIn("dora", "clouds"), ...wrong);
  await assertStatus(await signIn("dora", userPassword), 200);
});

Deno.test("where entries may have the users of their names, both passwords are asked", async () => {
  await using linking = await open({ linkUsers: true }, { webdav: true });
  await directory.addPerson("emil", "stones");
  const { user } = await linking.addUser("emil");
  const drive = davClient(linking, "emil");
  assert.equal((await drive("PROPFIND", "/", { headers: { depth: "0" } })).status, 207);
  await assertRefused(await signIn("emil", "neither", linking), ...wrong);
  await assertStatus(await signIn("emil", userPassword, linking), 200);
  await assertStatus(await signIn("emil", "stones", linking), 200);
  assert.equal((await linking.cubby.users.byName("emil"))?.id, user.id);
  // The entry's from now on, by every way: else it would outlast the entry.
  await assertRefused(await signIn("emil", userPassword, linking), ...wrong);
  const answer = await drive("PROPFIND", "/", { headers: { depth: "0" } });
  assert.equal(answer.status, 401);
  assert.match(await answer.text(), /use an API token/);
});

Deno.test("without a user, an entry is refused unless users are made", async () => {
  await using closed = await open({ createUsers: false });
  await assertRefused(await signIn("anna", "rivers", closed), ...wrong);
  assert.match(closed.log.lines.join("\n"), /by the directory: .*there is no user "anna"/);
});

Deno.test("groups say who may sign in, and what for, at each sign-in", async () => {
  await using grouped = await open({
    groups: [{ group: "chiefs", may: ["admin"] }, {
      group: "cn=staff,dc=example,dc=org",
      may: ["download", "share"],
    }],
  });
  await directory.addPerson("fred", "hills");
  await directory.addPerson("gina", "dunes");
  const of = (uid: string) => ({
    ...{ objectClass: ["groupOfNames"], member: [`uid=${uid},dc=example,dc=org`] },
  });
  await assertRefused(await signIn("fred", "hills", grouped), ...wrong);
  await directory.add("cn=staff", { ...of("fred"), cn: "staff" });
  await directory.add("cn=chiefs", { ...of("gina"), cn: "chiefs" });
  await assertStatus(await signIn("fred", "hills", grouped), 200);
  const fred = await grouped.cubby.users.byName("fred");
  assert.deepEqual([fred?.perm.share, fred?.perm.create, fred?.perm.admin], [true, false, false]);
  await assertStatus(await signIn("gina", "dunes", grouped), 200);
  assert.equal((await grouped.cubby.users.byName("gina"))?.perm.admin, true);
});

Deno.test("a group counts by its whole name, however that is escaped or spelled", async () => {
  await using grouped = await open({
    groups: [
      { group: "admins", may: ["admin"] },
      { group: "ops", may: ["admin"] },
      { group: "CN=Readers\\2C all ,  DC=example,dc=ORG", may: ["download"] },
    ],
  });
  await directory.addPerson("hugo", "woods");
  const members = { objectClass: ["groupOfNames"], member: ["uid=hugo,dc=example,dc=org"] };
  const names = ["admins, read only", "admins+x", 'admins"', "#admins", "admins\\"];
  for (const cn of names) {
    const escaped = cn.replace(/^[ #]|["+,\\]/g, (character) => `\\${character}`);
    await directory.add(`cn=${escaped}`, { ...members, cn });
  }
  await directory.add("cn=ops+description=night", { ...members, cn: "ops", description: "night" });
  await assertRefused(await signIn("hugo", "woods", grouped), ...wrong);
  await directory.add("cn=readers\\, ALL", { ...members, cn: "readers, ALL" });
  await assertStatus(await signIn("hugo", "woods", grouped), 200);
  const hugo = await grouped.cubby.users.byName("hugo");
  assert.deepEqual([hugo?.perm.admin, hugo?.perm.download], [false, true]);
  await directory.add("cn=admins", { ...members, cn: "admins" });
  await assertStatus(await signIn("hugo", "woods", grouped), 200);
  assert.equal((await grouped.cubby.users.byName("hugo"))?.perm.admin, true);
});

Deno.test("the connection is encrypted, and a stranger's certificate is refused", async () => {
  const { url, ca } = directory.secure;
  for (const way of [{ urls: [url], ca }, { startTls: true, ca }]) {
    await using encrypted = await open(way);
    await assertStatus(await signIn("anna", "rivers", encrypted), 200);
  }
  for (const way of [{ urls: [url] }, { startTls: true }]) {
    await using strange = await open(way);
    await assertRefused(await signIn("anna", "rivers", strange), 503, "busy");
  }
});

Deno.test("while no server answers that is what is said, and users who were made here sign in", async () => {
  const dead = "ldap://127.0.0.1:1";
  await using away = await open({ urls: [dead] });
  await assertRefused(await signIn("anna", "rivers", away), 503, "busy");
  await assertStatus(await signIn(admin.username, admin.password, away), 200);
  await using second = await open({ urls: [dead, ...directory.config.urls] });
  await assertStatus(await signIn("anna", "rivers", second), 200);
  await using refused = await open({ bindPassword: "another" });
  await assertRefused(await signIn("anna", "rivers", refused), 503, "busy");
});

Deno.test("the own password is asked of the directory before what needs it", async () => {
  const token = await (await signIn("anna", "rivers")).text();
  const renew = (current_password: string) =>
    app.call("POST", "/api/factors/recovery", { token, json: { current_password } });
  await assertRefused(await renew("valleys"), ...wrong);
  // Right, but there is no second factor that the codes would stand in for.
  await assertRefused(await renew("rivers"), 404, "not_found");
});
