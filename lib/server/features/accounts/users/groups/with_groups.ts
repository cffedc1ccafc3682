import { permissionsWhere } from "../../../../../shared/schemas/choices/choices.ts";
import type { UserFields } from "../../../../../shared/schemas/user.ts";
import type { Store } from "../../../../core/kv/store.ts";
import type { Group } from "./group.ts";
import { rootsOfMember } from "./group_roots.ts";
import { Groups } from "./groups.ts";

/** The record that groups add to: a user, in practice. */
type Member = Pick<UserFields, "perm" | "rules" | "roots" | "quota" | "lockPassword" | "groups"> & {
  version: number;
};

/**
 * A user's record with all that the user's groups add. Without groups nothing is read. Only what
 * decides about access has it so: the record itself is stored and shown without it.
 */
export async function withGroups<M extends Member>(store: Store, user: M): Promise<M> {
  if (user.groups.length === 0) return user;
  return addGroups(user, await new Groups(store).of(user.groups));
}

/**
 * The rights of a member of groups: all that the user or any group may. The groups' rules come
 * before the user's own, the oldest group's first, and the user's named roots before theirs. A
 * limit that the user does not have is the largest of those that the groups have.
 */
export function addGroups<M extends Member>(user: M, groups: readonly Group[]): M {
  if (groups.length === 0) return user;
  const perm = permissionsWhere((name) =>
    user.perm[name] || groups.some((group) => group.perm[name])
  );
  const limit = (name: "bytes" | "files") =>
    user.quota[name] || Math.max(...groups.map(({ quota }) => quota[name]));
  return {
    ...user,
    perm,
    rules: [...groups.flatMap(({ rules }) => rules), ...user.rules],
    roots: rootsOfMember(user.roots, groups.flatMap(({ roots }) => roots)),
    quota: { bytes: limit("bytes"), files: limit("files") },
    // As of any administrator.
    lockPassword: user.lockPassword && !perm.admin,
    // Tokens tell of the rights: one from before another change of a group is to be renewed.
    version: groups.reduce((sum, { changed }) => sum + changed, user.version),
  };
}
