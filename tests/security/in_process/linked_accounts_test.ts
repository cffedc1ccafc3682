import assert from "node:assert/strict";
import { join } from "node:path";
import type { AccountRules } from "../../../lib/server/core/config/oidc_options.ts";
import { deny } from "../../support/data/rules.ts";
import { codeOf, enrol, wrongCode } from "../../support/clients/factors.ts";
import { TestBrowser } from "../../support/clients/browser_cookies.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { admin } from "../../support/server/app_parts.ts";
import { startHookApp } from "../../support/server/hook_app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { startDirectory } from "../../support/services/directory.ts";
import { startProvider } from "../../support/services/oidc_provider.ts";

const directory = await startDirectory();
const provider = await startProvider();
Deno.test.afterAll(async () => {
  await directory[Symbol.asyncDispose]();
  await provider.close();
});

const groups: AccountRules["groups"] = [
  { group: "staff", may: ["download"], joins: ["readers"] },
  { group: "chiefs", may: ["admin"] },
];
await directory.addPerson("admin", "of the directory");
await directory.addPerson("boss", "boss of there");
await directory.addPerson("anna", "anna of there");
for (const [name, ...members] of [["staff", "admin", "anna"], ["chiefs", "boss"]]) {
  const member = members.map((uid) => `uid=${uid},dc=example,dc=org`);
  await directory.add(`cn=${name}`, { objectClass: ["groupOfNames"], cn: name ?? "", member });
}

let address = 0;

async function signIn(app: TestApp, username: string, password: string, code?: string) {
  const json = { username, password, code };
  return await app.call("POST", "/api/login", { json, from: `10.3.0.${++address}` });
}

const byLdap = (rules: Partial<AccountRules>) =>
  startApp({ inProcess: true, config: { ldap: { ...directory.config, ...rules } } });

const byOidc = (rules: Partial<AccountRules>) =>
  startApp({ inProcess: true, config: { oidc: { ...provider.config, ...rules } } });

/** Whether an account of the provider gets in. */
async function entersByOidc(app: TestApp, sub: string, claims: Record<string, unknown>) {
  provider.accounts.set(sub, claims);
  provider.holder = sub;
  const end = new URL(await new TestBrowser(app).follow("/login/oidc"));
  return end.searchParams.get("entered") === "1";
}

async function addReaders(app: TestApp) {
  const perm = { admin: false, create: false, delete: false, download: false };
  const none = { ...perm, execute: false, modify: false, rename: false, share: false };
  const quota = { bytes: 0, files: 0 };
  return await app.cubby.users.groups.create({
    ...{ name: "readers", perm: none, rules: [], roots: [], quota },
  });
}

Deno.test("LDAP: an entry with the administrator's name takes nothing, and locks nobody out", async () => {
  for (const rules of [{ linkUsers: true, groups }, { linkUsers: true }]) {
    await using app = await byLdap(rules);
    const before = await app.cubby.users.byName("admin");
    for (const second of [false, true]) {
      if (second) await app.addUser("second", { perm: { admin: true } });
      await assertRefused(
        await signIn(app, "admin", "of the directory"),
        403,
        "wrong_credentials",
      );
      assert.deepEqual(await app.cubby.users.byName("admin"), before);
      await assertStatus(await signIn(app, admin.username, admin.password), 200);
    }
  }
});

Deno.test("LDAP: who is an administrator by a group here is not linked by name either", async () => {
  await using app = await byLdap({ linkUsers: true });
  const readers = await addReaders(app);
  await app.cubby.users.groups.update(readers.id, { perm: { ...readers.perm, admin: true } });
  const { user } = await app.addUser("anna", { groups: [readers.id] });
  await assertRefused(await signIn(app, "anna", "anna of there"), 403, "wrong_credentials");
  assert.equal((await app.cubby.users.get(user.id)).identity, undefined);
  await assertStatus(await signIn(app, "anna", userPassword), 200);
});

Deno.test("LDAP: an administrator whom the groups make one is linked", async () => {
  await using app = await byLdap({ linkUsers: true, groups });
  const { user } = await app.addUser("boss", { perm: { admin: true } });
  await assertStatus(await signIn(app, "boss", "boss of there"), 200);
  const boss = await app.cubby.users.get(user.id);
  assert.equal(boss.perm.admin, true);
  assert.notEqual(boss.identity, undefined);
});

Deno.test("OIDC: a stranger with the administrator's name takes nothing", async () => {
  for (const rules of [{ linkUsers: true, groups }, { linkUsers: true }]) {
    await using app = await byOidc(rules);
    await app.addUser("second", { perm: { admin: true } });
    const before = await app.cubby.users.byName("admin");
    const claims = { preferred_username: "admin", groups: ["staff"] };
    assert.equal(await entersByOidc(app, "stranger", claims), false);
    assert.deepEqual(await app.cubby.users.byName("admin"), before);
    const chief = { preferred_username: "admin", groups: ["chiefs"] };
    assert.equal(await entersByOidc(app, "chief", chief), rules.groups !== undefined);
  }
});

Deno.test("a link and the rights of its groups are one commit", async () => {
  await using app = await byOidc({ linkUsers: true, groups });
  const readers = await addReaders(app);
  const { user } = await app.addUser("anna");
  const claims = { preferred_username: "anna", groups: ["staff"] };
  const { issuer } = provider.config;
  const pad = (length: number) =>
    Array.from({ length: 30 }, (_, index) => {
      const share = Math.floor(length / 30) + Number(index < length % 30);
      return deny(`/${index}`.padEnd(share, "x"));
    });
  // A record that has room for the link, and for no group besides.
  await app.cubby.users.update(user.id, { rules: pad(20_000) });
  const sized = await app.cubby.users.get(user.id);
  const linked = { ...sized, version: sized.version + 1, identity: { issuer, subject: "a1" } };
  const room = 30_000 - JSON.stringify(linked).length;
  await app.cubby.users.update(user.id, { rules: pad(20_000 + room) });
  const before = await app.cubby.users.get(user.id);
  assert.equal(await entersByOidc(app, "a1", claims), false);
  assert.deepEqual(await app.cubby.users.get(user.id), before);

  await app.cubby.users.update(user.id, { rules: [] });
  const { version } = await app.cubby.users.get(user.id);
  assert.equal(await entersByOidc(app, "a1", claims), true);
  const after = await app.cubby.users.get(user.id);
  assert.deepEqual([after.groups, after.perm.create], [[readers.id], false]);
  assert.equal(after.version, version + 1, "one change");
});

Deno.test("a new user of an account has the rights of its groups from the first moment", async () => {
  await using app = await byOidc({ createUsers: true, groups });
  const readers = await addReaders(app);
  const claims = { preferred_username: "anna", groups: ["staff"] };
  assert.equal(await entersByOidc(app, "a1", claims), true);
  const anna = await app.cubby.users.byName("anna");
  assert.deepEqual([anna?.groups, anna?.perm.create, anna?.perm.download], [
    [readers.id],
    false,
    true,
  ]);
  assert.equal(anna?.version, 1, "no moment with other rights");
});

Deno.test("LDAP: without the second factor nothing is linked, and no right changes", async () => {
  await using app = await byLdap({ linkUsers: true, groups });
  await addReaders(app);
  const { secret } = await enrol(app, "anna");
  const before = await app.cubby.users.byName("anna");
  const password = "anna of there";
  await assertRefused(await signIn(app, "anna", password), 401, "second_factor_required");
  await assertRefused(
    await signIn(app, "anna", password, wrongCode(secret)),
    403,
    "wrong_credentials",
  );
  assert.deepEqual(await app.cubby.users.byName("anna"), before);
  await assertStatus(await signIn(app, "anna", userPassword, codeOf(secret, 1)), 200);
});

Deno.test("LDAP: asking for the own password again links nobody", async () => {
  await using app = await byLdap({ linkUsers: true });
  const { user, token } = await app.addUser("anna");
  const json = { current_password: "anna of there" };
  const answer = await app.call("POST", "/api/factors/recovery", { token, json });
  await answer.body?.cancel();
  assert.equal((await app.cubby.users.get(user.id)).identity, undefined);
});

/** The host of programs ends a moment after the application. */
const ofPrograms = { sanitizeOps: false, sanitizeResources: false };

Deno.test(
  "a program's word that is refused leaves no user, no change and no home",
  ofPrograms,
  async () => {
    await using app = await startHookApp();
    await app.write('echo hook.action=auth; echo "user.scope=../out"; echo "user.locale=de"');
    await assertRefused(await app.signIn("newcomer"), 403, "wrong_credentials");
    assert.equal(await app.cubby.users.byName("newcomer"), null);
    await assert.rejects(Deno.lstat(join(app.root, "users", "newcomer")));
  },
);

Deno.test(
  "a program's word is not followed before the second factor is proved",
  ofPrograms,
  async () => {
    await using app = await startHookApp();
    await app.addUser("known");
    const user = await app.cubby.users.byName("known");
    assert.ok(user);
    const totp = { secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", lastStep: 0 };
    await app.cubby.factors.addTotp(user, totp);
    const before = await app.cubby.users.byName("known");
    await app.write('echo hook.action=auth; echo "user.perm.share=false"');
    await assertRefused(await app.signIn("known"), 401, "second_factor_required");
    assert.deepEqual(await app.cubby.users.byName("known"), before);
  },
);
