import assert from "node:assert/strict";
import { join } from "node:path";
import type { Group } from "../../../lib/server/features/accounts/users/groups/group.ts";
import type { User } from "../../../lib/server/features/accounts/users/user.ts";
import { admit, assertHealthy, assertMends, withStore } from "./doctor.ts";
import { openTerminal } from "./terminal.ts";
import {
  groupNames,
  groupRecords,
} from "../../../lib/server/features/accounts/users/groups/groups.ts";
import { userRecords } from "../../../lib/server/features/accounts/users/user_records.ts";

const password = "otters hold 9 hands";

Deno.test("commands about groups refuse what is not there, taken or unsaid", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await terminal.ok("groups", "add", "Editors");
  const refused: [string[], RegExp][] = [
    [["groups", "add"], /the name is missing/],
    [["groups", "add", "Editors"], /the name is taken/],
    [["groups", "add", "a,b"], /Cannot use this name of a group/],
    [["groups", "update", "Editors"], /no flags given/],
    [["groups", "update", "None", "--perm.create"], /Cannot find the group "None"/],
    [["groups", "join", "Editors"], /the user is missing/],
    [["groups", "join", "Editors", "vera"], /Cannot find the user "vera"/],
    [["groups", "rm", "7"], /Cannot find the group "7"/],
    [["rules", "add", "/a", "--group", "None"], /Cannot find the group "None"/],
  ];
  for (const [args, reason] of refused) {
    const { status, warned } = await terminal.run(...args);
    assert.ok(status > 0, args.join(" "));
    assert.match(warned.join("\n"), reason, args.join(" "));
  }
});

Deno.test("groups are added, changed, joined, left and removed by id or name", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  await terminal.ok("users", "add", "anna", password);
  const add = ["--perm.create", "--quota.bytes", "5GB"];
  const [, added = ""] = await terminal.ok("groups", "add", "Editors", ...add);
  assert.match(added, /^1 +Editors +no +create +0 +- +5 GB +-$/);
  const [, joined = ""] = await terminal.ok("groups", "join", "Editors", "root", "2");
  assert.match(joined, /root, anna$/);
  const [, changed = ""] = await terminal.ok(
    "groups",
    "update",
    "1",
    "--name",
    "Team",
    "--perm.share",
  );
  assert.match(changed, /^1 +Team +no +create,share/);
  assert.deepEqual(await terminal.ok("rules", "add", "/drafts", "--group", "Team"), [
    "(0) deny path /drafts",
  ]);
  const [, left = ""] = await terminal.ok("groups", "leave", "Team", "root");
  assert.match(left, / 1 +- +5 GB +anna$/);
  const listed = await terminal.ok("users", "ls");
  assert.match(listed.join("\n"), /anna.* of 5 GB/);
  const roots = "Photos=/media:ro,Team=/team";
  const [, given = ""] = await terminal.ok("groups", "update", "Team", "--roots", roots);
  assert.match(given, / Photos=\/media:ro,Team=\/team +5 GB +anna$/);
  const [, taken = ""] = await terminal.ok("groups", "update", "Team", "--roots", "");
  assert.match(taken, / 1 +- +5 GB +anna$/);
  assert.deepEqual(await terminal.ok("groups", "rm", "Team"), ['Removed the group "Team"']);
  assert.equal((await terminal.ok("groups", "ls")).length, 1);
});

Deno.test("exported users are put in the groups of the same names", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  for (const name of ["Team", "Lost"]) {
    await terminal.ok("groups", "add", name);
    await terminal.ok("groups", "join", name, "root");
  }
  const file = join(terminal.folder, "users.json");
  await terminal.ok("users", "export", file);
  await using other = await openTerminal();
  await other.ok("config", "init");
  await other.ok("groups", "add", "Some");
  await other.ok("groups", "add", "Team");
  const [taken = ""] = await other.ok("users", "import", file);
  assert.match(taken, /Imported: the user "root", without the group "Lost", which does not exist/);
  await withStore(other, async (store) => {
    assert.deepEqual((await store.get<User>(userRecords.key(1))).value?.groups, [2]);
  });
});

Deno.test("the doctor mends names and members of groups, and takes users out of those that are gone", async () => {
  await using terminal = await openTerminal();
  await admit(terminal);
  await terminal.ok("groups", "add", "Team");
  await withStore(terminal, async (store) => {
    const [entry] = await store.list<Group>(groupRecords.prefix());
    assert.ok(entry);
    const { value: user } = await store.get<User>(userRecords.key(1));
    await store.atomic((operation) =>
      operation.delete(groupNames.prefix("Team")).set(groupNames.prefix("Old"), 1)
        .set(userRecords.key(1), { ...user, groups: [1, 9] })
    );
  });
  await assertMends(terminal, [
    /^name "Old": kept for the group 1, which does not have it$/,
    /^group 1: the name "Team" is not kept for this group$/,
    /^user ".*": in groups that are gone: 9$/,
    /^group 1: the index of its members is wrong$/,
  ]);
  await assertHealthy(terminal);
  await withStore(terminal, async (store) => {
    assert.deepEqual((await store.get<User>(userRecords.key(1))).value?.groups, [1]);
  });
});
