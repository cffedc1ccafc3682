import { groupMemberKey, groupMembersPrefix } from "../../../../core/kv/keys/groups.ts";
import { inParts } from "../../../../core/kv/parts.ts";
import type { Store } from "../../../../core/kv/store.ts";
import type { AtomicStep } from "../reserve_keys.ts";

/**
 * The step that keeps the index of members as the record of a user has it. It belongs to a commit
 * that checks that record.
 *
 * @param before the groups of the record as it was; none of a new one
 * @param after those that it is to have
 */
export function moveMember(
  userId: number,
  before: readonly number[],
  after: readonly number[],
): AtomicStep {
  const [old, now] = [new Set(before), new Set(after)];
  return (operation) => {
    for (const id of old.difference(now)) {
      operation.delete(groupMemberKey(id, userId));
    }
    for (const id of now.difference(old)) {
      operation.set(groupMemberKey(id, userId), null);
    }
    return operation;
  };
}

/** Members of one part: they are keys alone. */
const batchSize = 500;

/** The ids of the members of a group in their order, part by part. */
export async function* memberParts(
  store: Store,
  group: number,
  after?: number,
): AsyncGenerator<number[], void> {
  for await (const part of inParts(store, groupMembersPrefix(group), { after, size: batchSize })) {
    yield part.map(({ key }) => Number(key.at(-1)));
  }
}

/** The ids of all members of a group, in their order. */
export async function membersOf(store: Store, group: number): Promise<number[]> {
  return (await Array.fromAsync(memberParts(store, group))).flat();
}

/** How many members a group has: keys alone are read, and not again until the store is written. */
export async function countMembers(store: Store, group: number): Promise<number> {
  return await store.cachedRead(groupMembersPrefix(group), async () => {
    let count = 0;
    for await (const part of memberParts(store, group)) count += part.length;
    return count;
  });
}
