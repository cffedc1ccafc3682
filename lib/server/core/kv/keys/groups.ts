/** A group by its id, which is never used again; at most 30,000 characters. */
export function groupKey(id: number): Deno.KvKey {
  return ["groups", id];
}

/** Prefix of groups, in the order of the ids. */
export function groupsPrefix(): Deno.KvKey {
  return ["groups"];
}

/** The index of the names of groups: contains the id only. */
export function groupNameKey(name: string): Deno.KvKey {
  return ["group_names", name];
}

/** Prefix of the index of names. */
export function groupNamesPrefix(): Deno.KvKey {
  return ["group_names"];
}

/** The id of the next group. */
export function nextGroupKey(): Deno.KvKey {
  return ["group_next"];
}

/** The index of the members of groups: empty values. Their groups stand in their records. */
export function groupMemberKey(group: number, userId: number): Deno.KvKey {
  return ["group_members", group, userId];
}

/** Prefix of the members of one group; without one, of all. */
export function groupMembersPrefix(group?: number): Deno.KvKey {
  return group === undefined ? ["group_members"] : ["group_members", group];
}
