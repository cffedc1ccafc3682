import assert from "node:assert/strict";
import { DomainError } from "../../../../../lib/shared/errors.ts";
import { defaultSettings } from "../../../../../lib/server/features/settings/settings.ts";
import type { Settings } from "../../../../../lib/shared/schemas/settings.ts";
import { allPermissions } from "../../../../../lib/server/core/access/viewer.ts";
import {
  provisionUser,
  signUp,
} from "../../../../../lib/server/features/accounts/users/sign_up.ts";
import { homeOf } from "../../../../../lib/server/features/accounts/users/home.ts";
import { type Identity, openIdentity, passwordOf } from "./identity.ts";

function open(change: Partial<Settings> = {}): Settings {
  return { ...defaultSettings(), signup: true, ...change };
}

function newcomer(username: string) {
  return { username, password: passwordOf(username) };
}

/** Signs up and notes the homes that were asked for. */
function join(it: Identity, username: string, settings = open(), homes: string[] = []) {
  return signUp(it.users, settings, newcomer(username), (home) => {
    homes.push(home);
    return Promise.resolve();
  });
}

Deno.test("signUp() refuses everybody while it is off", async () => {
  using it = await openIdentity();
  await assert.rejects(join(it, "anna", defaultSettings()), { code: "forbidden" });
});

Deno.test("signUp() refuses a name that is taken, and a weak password", async () => {
  using it = await openIdentity();
  await it.add("anna");
  await assert.rejects(join(it, "anna"), { code: "exists" });
  const weak = { username: "bert", password: "short" };
  await assert.rejects(signUp(it.users, open(), weak, () => Promise.resolve()), {
    code: "invalid_password",
  });
});

Deno.test("signUp() refuses a name whose home is another user's", async () => {
  using it = await openIdentity();
  const homes: string[] = [];
  await join(it, "Anna Smith", open(), homes);
  for (const name of ["anna smith", "Anna-Smith", "ANNA//SMITH", "Anna\\Smith", "..Anna Smith"]) {
    await assert.rejects(join(it, name, open(), homes), { code: "exists" }, name);
  }
  assert.deepEqual(homes, ["/users/Anna-Smith"]);
  await it.add("given", { scope: "/users/Bert" });
  await assert.rejects(join(it, "bert"), { code: "exists" });
});

Deno.test("signUp() refuses a name of which no folder can be made", async () => {
  using it = await openIdentity();
  for (const name of ["..", ".", "-", "///", "*?"]) {
    await assert.rejects(join(it, name), { code: "invalid_name" }, name);
  }
});

Deno.test("signUp() of two names with one home at once lets one of them in", async () => {
  using it = await openIdentity();
  const names = ["Anna", "anna", "ANNA", "aNNa"];
  const results = await Promise.allSettled(names.map((name) => join(it, name)));
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal(await it.users.count(), 1);
});

Deno.test("signUp() leaves no user behind when the home can't be made, and frees the name", async () => {
  using it = await openIdentity();
  const makeHome = () => Promise.reject(new DomainError("exists", "Cannot make the home"));
  await assert.rejects(signUp(it.users, open(), newcomer("anna"), makeHome), { code: "exists" });
  assert.equal(await it.users.count(), 0);
  await join(it, "anna");
});

Deno.test("signUp() never gives an administrator's rights or commands", async () => {
  using it = await openIdentity();
  const { defaults } = defaultSettings();
  const settings = open({ defaults: { ...defaults, perm: allPermissions(), commands: ["sh"] } });
  const { perm, commands } = await join(it, "anna", settings);
  assert.deepEqual(perm, { ...allPermissions(), admin: false, execute: false });
  assert.deepEqual(commands, []);
});

Deno.test("signUp() with the server's root as default scope always makes a home", async () => {
  using it = await openIdentity();
  const homes: string[] = [];
  const user = await join(it, "anna", open({ createUserDir: false }), homes);
  assert.equal(user.scope, "/users/anna");
  assert.deepEqual(homes, ["/users/anna"]);
});

Deno.test("signUp() gives the default scope, or a home in it, as the settings say", async () => {
  using it = await openIdentity();
  const defaults = { ...defaultSettings().defaults, scope: "/shared" };
  const homes: string[] = [];
  assert.equal((await join(it, "anna", open({ defaults }), homes)).scope, "/shared");
  const withHomes = open({ defaults, createUserDir: true });
  assert.equal((await join(it, "bert", withHomes, homes)).scope, "/shared/users/bert");
  assert.deepEqual(homes, ["/shared/users/bert"]);
});

Deno.test("provisionUser() makes a user whom no password lets in, also while signing up is off", async () => {
  using it = await openIdentity();
  const makeHome = () => Promise.resolve();
  const user = await provisionUser(it.users, defaultSettings(), "anna", makeHome);
  assert.equal(user.perm.admin, false);
  assert.equal(await it.passwords.verify("", user.passwordHash), false);
});

/** Settings whose default scope is this folder. */
function homesBelow(scope: string) {
  const settings = defaultSettings();
  return { ...settings, defaults: { ...settings.defaults, scope } };
}

Deno.test("homeOf() keeps letters of every script and stays one folder below users", () => {
  assert.equal(homeOf("Zoe\u0308", homesBelow("/")), "/users/Zo\u00eb");
  assert.equal(homeOf("正雄", homesBelow("/a/b")), "/a/b/users/正雄");
  assert.equal(homeOf("../../etc/passwd", homesBelow("/")), "/users/etc-passwd");
  assert.equal(homeOf("anna@example.org", homesBelow("/")), "/users/anna@example.org");
});
