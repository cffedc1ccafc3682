import type { Store } from "../../core/kv/store.ts";
import type { Group } from "../../features/accounts/users/groups/group.ts";
import { groupNames, groupRecords } from "../../features/accounts/users/groups/groups.ts";
import type { User } from "../../features/accounts/users/user.ts";
import {
  groupMembers,
  membersOf,
  userRecords,
} from "../../features/accounts/users/user_records.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks the index of the names of groups, and the groups of users that are gone. */
export async function* checkGroups({ store }: CheckContext): Findings {
  for (const { key, value: id } of await store.list<number>(groupNames.prefix())) {
    const [claim, group] = await store.getMany<[number, Group]>([key, groupRecords.key(id)]);
    if (claim.value !== id || group.value?.name === key.at(-1)) continue;
    yield {
      what: `name "${String(key.at(-1))}": kept for the group ${id}, which does not have it`,
      repair: commit(store, (operation) => operation.check(claim, group).delete(key)),
    };
  }
  const groups = await groupRecords.list(store);
  for (const { id, name } of groups) {
    const key = groupNames.prefix(name);
    const [group, claim] = await store.getMany<[Group, number]>([groupRecords.key(id), key]);
    if (group.value?.name !== name || claim.value === id) continue;
    const what = `group ${id}: the name "${name}" is`;
    yield claim.value !== null
      ? { what: `${what} that of the group ${claim.value}, too`, repair: "by hand" }
      : {
        what: `${what} not kept for this group`,
        repair: commit(store, (operation) => operation.check(group, claim).set(key, id)),
      };
  }
  const known = new Set(groups.map(({ id }) => id));
  for (const { id, username } of await userRecords.list(store)) {
    const entry = await userRecords.entry(store, id);
    if (entry.value === null) continue;
    const user = entry.value;
    const gone = user.groups.filter((group) => !known.has(group));
    if (gone.length === 0) continue;
    const mended = { ...user, groups: user.groups.filter((group) => known.has(group)) };
    yield {
      what: `user "${username}": in groups that are gone: ${gone.join(", ")}`,
      repair: commit(store, (operation) => userRecords.replace(operation, entry, mended)),
    };
  }
  yield* checkMembers(store, [...known]);
}

/** Checks that the index of members says what the records of users do. */
async function* checkMembers(store: Store, groups: readonly number[]): Findings {
  const users = await userRecords.entries(store);
  for (const id of groups) {
    const members = users.filter(({ value }) => value.groups.includes(id))
      .map(({ value }) => value.id);
    if ((await membersOf(store, id)).join() === members.join()) continue;
    yield {
      what: `group ${id}: the index of its members is wrong`,
      repair: () => renewMembers(store, id, users),
    };
  }
}

/** Writes the index of the members of a group anew, unless users have changed. */
async function renewMembers(
  store: Store,
  id: number,
  users: readonly Deno.KvEntry<User>[],
): Promise<boolean> {
  const indexed = await store.list(groupMembers.prefix(id));
  const members = users.filter(({ value }) => value.groups.includes(id));
  const keys = new Set(members.map(({ value }) => value.id));
  for (const { key } of indexed) {
    if (keys.has(Number(key.at(-1)))) continue;
    await store.atomic((operation) => operation.delete(key));
  }
  let isDone = true;
  for (const user of members) {
    const { ok } = await store.atomic((operation) =>
      operation.check(user).set(groupMembers.prefix(id, user.value.id), null)
    );
    isDone &&= ok;
  }
  return isDone;
}
