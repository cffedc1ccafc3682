import assert from "node:assert/strict";
import type { GroupFields } from "../../../../../lib/shared/schemas/group.ts";
import { permissionsWhere } from "../../../../../lib/shared/schemas/choices/choices.ts";
import type { DomainError } from "../../../../../lib/shared/errors.ts";
import { groupsHere } from "../../../../../lib/server/features/accounts/auth/outside_accounts/group_permissions.ts";
import { planAdmission } from "../../../../../lib/server/features/accounts/auth/outside_accounts/admit.ts";
import { readHookOutput } from "../../../../../lib/server/features/accounts/auth/hook/hook_output.ts";
import { readGroups } from "../../../../../lib/server/core/config/values.ts";
import { deny } from "../../../../support/data/rules.ts";
import { openIdentity } from "./identity.ts";

function fields(name: string, more: Partial<GroupFields> = {}): GroupFields {
  const perm = permissionsWhere(() => false);
  return { name, perm, rules: [], roots: [], quota: { bytes: 0, files: 0 }, ...more };
}

async function refused(promise: Promise<unknown>, code: string, label = ""): Promise<void> {
  await assert.rejects(promise, (error) => (error as DomainError).code === code, label);
}

Deno.test("groups need a name of their own, and not one that lists could not hold", async () => {
  using it = await openIdentity();
  const { groups } = it.users;
  await groups.create(fields("Editors"));
  for (const name of ["", "  ", "a,b", "a;b", "a\nb", "\u202eb", "x".repeat(256)]) {
    await refused(groups.create(fields(name)), "invalid_name", JSON.stringify(name));
  }
  await refused(groups.create(fields(" Editors ")), "exists");
  const other = await groups.create(fields("Cafe\u0301"));
  assert.equal(other.name, "Caf\u00e9");
  await refused(groups.update(other.id, { name: "Editors" }), "exists");
  await groups.update(1, { name: "Writers" });
  assert.equal((await groups.create(fields("Editors"))).id, 3);
});

Deno.test("two groups made at once under one name are one", async () => {
  using it = await openIdentity();
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, () => it.users.groups.create(fields("Editors"))),
  );
  assert.equal(made.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal((await it.users.groups.list()).length, 1);
});

Deno.test("the id of a removed group is given to no other, and leaves its members' records", async () => {
  using it = await openIdentity();
  const { groups } = it.users;
  const admins = fields("Admins", { perm: permissionsWhere((name) => name === "admin") });
  const { id, perm } = await groups.create(admins);
  assert.equal(perm.delete, true, "an administrator may do everything");
  const anna = await it.add("anna", { groups: [id], lockPassword: true });
  const acting = await it.users.acting(anna.id);
  assert.deepEqual([acting.perm.admin, acting.lockPassword], [true, false]);
  await groups.remove(id);
  assert.deepEqual((await it.users.get(anna.id)).groups, []);
  assert.equal((await it.users.acting(anna.id)).perm.admin, false);
  assert.equal((await groups.create(fields("Admins"))).id, id + 1);
});

Deno.test("an administrator by a group alone is not the one who must remain", async () => {
  using it = await openIdentity();
  const admin = await it.add("root", { perm: permissionsWhere(() => true) });
  const perm = permissionsWhere((name) => name === "admin");
  const { id } = await it.users.groups.create(fields("Admins", { perm }));
  await it.add("anna", { groups: [id] });
  await refused(it.users.remove(admin.id), "last_admin");
});

Deno.test("a user is in no group that is not there", async () => {
  using it = await openIdentity();
  await refused(it.add("anna", { groups: [7] }), "invalid_body");
  const bert = await it.add("bert");
  await refused(it.users.update(bert.id, { groups: [1] }), "invalid_body");
  const { id } = await it.users.groups.create(fields("Editors"));
  const { groups } = await it.users.update(bert.id, { groups: [id, id] });
  assert.deepEqual(groups, [id]);
  await refused(it.users.groups.setMembers({ id }, [bert.id, 99]), "not_found");
  assert.deepEqual((await it.users.get(bert.id)).groups, [id]);
});

Deno.test("a member may what the user or any group may; group rules come first, the own limit counts", async () => {
  using it = await openIdentity();
  const { groups } = it.users;
  const may = (wanted: string) => permissionsWhere((name) => name === wanted);
  const first = await groups.create(
    fields("A", { perm: may("create"), rules: [deny("/a")], quota: { bytes: 5, files: 9 } }),
  );
  const second = await groups.create(
    fields("B", { perm: may("share"), rules: [deny("/b")], quota: { bytes: 7, files: 0 } }),
  );
  const own = { perm: may("download"), rules: [deny("/own")] };
  const anna = await it.add("anna", { ...own, groups: [second.id, first.id] });
  const acting = await it.users.acting(anna.id);
  const named = Object.entries(acting.perm).filter(([, has]) => has).map(([name]) => name);
  assert.deepEqual(named.sort(), ["create", "download", "share"]);
  assert.deepEqual(acting.rules.map(({ path }) => path), ["/a", "/b", "/own"]);
  assert.deepEqual(acting.quota, { bytes: 7, files: 9 });
  const limited = await it.add("bert", { quota: { bytes: 2, files: 0 }, groups: [second.id] });
  assert.deepEqual((await it.users.acting(limited.id)).quota, { bytes: 2, files: 0 });
  const [, bert] = (await Array.fromAsync(it.users.actingParts())).flat();
  assert.equal(bert?.perm.share, true);
  assert.deepEqual((await it.users.get(anna.id)).rules.length, 1, "the record stays as it is");
});

Deno.test("changes of members at the same time are all kept", async () => {
  using it = await openIdentity();
  const ids = [];
  for (const name of ["A", "B", "C", "D"]) {
    ids.push((await it.users.groups.create(fields(name))).id);
  }
  const anna = await it.add("anna");
  await Promise.all(ids.map((id) => it.users.groups.setMembers({ id }, [anna.id])));
  assert.deepEqual((await it.users.get(anna.id)).groups, ids);
});

Deno.test("a token from before a change of a group is stale", async () => {
  using it = await openIdentity();
  const { id } = await it.users.groups.create(fields("Editors"));
  const anna = await it.add("anna", { groups: [id] });
  const { token } = await it.sessions.open(anna, { address: "192.0.2.1", agent: "tests" });
  assert.equal((await it.sessions.authenticate(token)).stale, false);
  await it.users.groups.update(id, { perm: permissionsWhere((name) => name === "create") });
  assert.equal((await it.sessions.authenticate(token)).stale, true);
  const renewed = await it.sessions.renew(token);
  assert.equal((await it.sessions.authenticate(renewed.token)).stale, false);
  await it.users.groups.setMembers({ id }, []);
  assert.equal((await it.sessions.authenticate(renewed.token)).stale, true);
});

Deno.test("accounts elsewhere are put in the groups that the rules name, and in no others", () => {
  const known = [{ id: 1, name: "Editors" }, { id: 2, name: "Team" }, { id: 3, name: "Own" }];
  const rules = [
    { group: "staff", may: [], joins: ["Team"] },
    { group: "writers", may: [], joins: ["Editors", "Missing"] },
  ];
  assert.deepEqual(groupsHere(["staff"], rules, [1, 3], known), [2, 3]);
  assert.deepEqual(groupsHere(["writers", "staff"], rules, [], known), [1, 2]);
  assert.deepEqual(groupsHere(["other"], rules, [1, 2, 3], known), [3]);
  assert.deepEqual(groupsHere(["staff"], undefined, [1], known), [1]);
});

Deno.test("readGroups() takes groups of Cubby after an @, and no empty one", () => {
  const given = (text: string) => ({ text, source: "--oidc-groups" });
  assert.deepEqual(readGroups(given("staff=download,@Team,@Night shift;chiefs=admin;*=@All")), [
    { group: "staff", may: ["download"], joins: ["Team", "Night shift"] },
    { group: "chiefs", may: ["admin"] },
    { group: "*", may: [], joins: ["All"] },
  ]);
  assert.deepEqual(readGroups(given("staff=default,@Team")), [
    { group: "staff", may: "default", joins: ["Team"] },
  ]);
  assert.throws(() => readGroups(given("staff=@")), /"@" is not a permission/);
});

Deno.test("a sign-in program names the groups of a user", () => {
  const answer = readHookOutput("hook.action=auth\nuser.groups= Team, ,Night shift\n");
  assert.deepEqual(answer?.groups, ["Team", "Night shift"]);
  assert.deepEqual(readHookOutput("hook.action=auth\nuser.groups=")?.groups, []);
  assert.equal(readHookOutput("hook.action=auth")?.groups, undefined);
});

Deno.test("each sign-in by an account puts the user in the groups that follow from it", async () => {
  using it = await openIdentity();
  const team = await it.users.groups.create(fields("Team"));
  const own = await it.users.groups.create(fields("Own"));
  const identity = { issuer: "https://id.test", subject: "a1" };
  const rules = {
    groups: [{ group: "staff", may: [], joins: ["Team"] }, { group: "*", may: [] }],
    createUsers: true,
    linkUsers: false,
  };
  const signIn = async (groups: string[]) => {
    const settings = await it.settings.get();
    const options = { users: it.users, settings, rules, makeHome: () => Promise.resolve() };
    return await (await planAdmission({ identity, username: "anna", groups }, options)).enter();
  };
  const anna = await signIn(["staff"]);
  assert.deepEqual(anna.groups, [team.id]);
  await it.users.update(anna.id, { groups: [team.id, own.id] });
  assert.deepEqual((await signIn(["staff"])).groups, [team.id, own.id]);
  assert.deepEqual((await signIn(["others"])).groups, [own.id]);
});
