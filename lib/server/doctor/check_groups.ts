import { groupKey, groupNameKey, groupNamesPrefix, groupsPrefix } from "../kv/keys/groups.ts";
import { userKey } from "../kv/keys/users.ts";
import type { Group } from "../users/groups/group.ts";
import { storedUser, type User } from "../users/user.ts";
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
      repair: commit(store, (operation) => operation.check(entry).set(entry.key, mended)),
    };
  }
}
