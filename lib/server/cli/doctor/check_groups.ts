import {
  groupKey,
  groupMemberKey,
  groupMembersPrefix,
  groupNameKey,
  groupNamesPrefix,
  groupsPrefix,
} from "../../core/kv/keys/groups.ts";
import { userKey, usersPrefix } from "../../core/kv/keys/users.ts";
import type { Store } from "../../core/kv/store.ts";
import { membersOf, moveMember } from "../../features/accounts/users/groups/members.ts";
import type { Group } from "../../features/accounts/users/groups/group.ts";
import { storedUser, type User } from "../../features/accounts/users/user.ts";
import { listUsers } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks the index of the names of groups, and the groups of users that are gone. */
export async function* checkGroups({ store }: CheckContext): Findings {
  for (const { key, value: id } of await store.list<number>(groupNamesPrefix())) {
    const [claim, group] = await store.getMany<[number, Group]>([key, groupKey(id)]);
    if (claim.value !== id || group.value?.name === key.at(-1)) continue;
    yield {
      what: `name "${String(key.at(-1))}": kept for the group ${id}, which does not have it`,
      repair: commit(store, (operation) => operation.check(claim, group).delete(key)),
    };
  }
  const groups = await store.list<Group>(groupsPrefix());
  for (const { value: { id, name } } of groups) {
    const key = groupNameKey(name);
    const [group, claim] = await store.getMany<[Group, number]>([groupKey(id), key]);
    if (group.value?.name !== name || claim.value === id) continue;
    const what = `group ${id}: the name "${name}" is`;
    yield claim.value !== null
      ? { what: `${what} that of the group ${claim.value}, too`, repair: "by hand" }
      : {
        what: `${what} not kept for this group`,
        repair: commit(store, (operation) => operation.check(group, claim).set(key, id)),
      };
  }
  const known = new Set(groups.map(({ value }) => value.id));
  for (const { id, username } of await listUsers(store)) {
    const entry = await store.get<User>(userKey(id));
    if (entry.value === null) continue;
    const user = storedUser(entry.value);
    const gone = user.groups.filter((group) => !known.has(group));
    if (gone.length === 0) continue;
    const mended = { ...user, groups: user.groups.filter((group) => known.has(group)) };
    yield {
      what: `user "${username}": in groups that are gone: ${gone.join(", ")}`,
      repair: commit(
        store,
        (operation) =>
          moveMember(id, user.groups, mended.groups)(operation.check(entry)).set(entry.key, mended),
      ),
    };
  }
  yield* checkMembers(store, [...known]);
}

/** Checks that the index of members says what the records of users do. */
async function* checkMembers(store: Store, groups: readonly number[]): Findings {
  const users = await store.list<User>(usersPrefix());
  for (const id of groups) {
    const members = users.filter(({ value }) => storedUser(value).groups.includes(id))
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
  const indexed = await store.list(groupMembersPrefix(id));
  const members = users.filter(({ value }) => storedUser(value).groups.includes(id));
  const keys = new Set(members.map(({ value }) => value.id));
  for (const { key } of indexed) {
    if (keys.has(Number(key.at(-1)))) continue;
    await store.atomic((operation) => operation.delete(key));
  }
  let isDone = true;
  for (const user of members) {
    const { ok } = await store.atomic((operation) =>
      operation.check(user).set(groupMemberKey(id, user.value.id), null)
    );
    isDone &&= ok;
  }
  return isDone;
}
