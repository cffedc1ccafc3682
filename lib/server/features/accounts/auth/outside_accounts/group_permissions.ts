import {
  type PermissionName,
  permissionsWhere,
} from "../../../../../shared/schemas/choices/choices.ts";
import type { GroupRights } from "../../../../core/config/values.ts";
import type { Settings } from "../../../../../shared/schemas/settings.ts";
import { newcomersRights } from "../../users/sign_up.ts";
import type { Group } from "../../users/groups/group.ts";
import type { User } from "../../users/user.ts";

/**
 * The permissions of an account by its groups: all that any of them has; `none` when none of
 * them may sign in, `unchanged` where groups say nothing.
 */
export function groupPermissions(
  groups: readonly string[],
  rules: readonly GroupRights[] | undefined,
  settings: Pick<Settings, "defaults">,
): User["perm"] | "none" | "unchanged" {
  if (!rules) return "unchanged";
  const counting = rules.filter((rule) => counts(rule, groups));
  if (counting.length === 0) return "none";
  const usual = newcomersRights(settings);
  const given = new Set<PermissionName>();
  for (const { may } of counting) {
    const names = may === "default" ? namesOf(usual) : may;
    for (const name of names) given.add(name);
  }
  return permissionsWhere((name) => given.has("admin") || given.has(name));
}

/**
 * The groups here of an account's holder, by the account's groups: the rules decide about the
 * groups that they name, and leave the holder's others as they are. Names that no group here has
 * count for nothing.
 *
 * @param former the ids of the groups that the holder is in
 * @param known the groups that there are
 */
export function groupsHere(
  groups: readonly string[],
  rules: readonly GroupRights[] | undefined,
  former: readonly number[],
  known: readonly Pick<Group, "id" | "name">[],
): number[] {
  const idsOf = (counting: readonly GroupRights[]) => {
    const names = new Set(counting.flatMap(({ joins = [] }) => joins));
    return known.filter(({ name }) => names.has(name)).map(({ id }) => id);
  };
  const decided = new Set(idsOf(rules ?? []));
  const joined = idsOf((rules ?? []).filter((rule) => counts(rule, groups)));
  return [...former.filter((id) => !decided.has(id)), ...joined].sort((a, b) => a - b);
}

/** Whether a rule is about a member of these groups. */
function counts({ group }: GroupRights, groups: readonly string[]): boolean {
  return group === "*" || groups.includes(group);
}

function namesOf(perm: User["perm"]): PermissionName[] {
  return (Object.keys(perm) as PermissionName[]).filter((name) => perm[name]);
}
