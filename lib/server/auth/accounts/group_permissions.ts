import { type PermissionName, permissionsWhere } from "../../../shared/schemas/choices.ts";
import type { GroupRights } from "../../config/config.ts";
import type { Settings } from "../../settings/settings.ts";
import { newcomersRights } from "../../users/sign_up.ts";
import type { User } from "../../users/user.ts";

/**
 * What the holder of an account may do, by its groups: all that any of them may; `none` when none of
 * them may sign in, `unchanged` where groups say nothing.
 */
export function groupPermissions(
  groups: readonly string[],
  rules: readonly GroupRights[] | undefined,
  settings: Pick<Settings, "defaults">,
): User["perm"] | "none" | "unchanged" {
  if (!rules) return "unchanged";
  const counting = rules.filter(({ group }) => group === "*" || groups.includes(group));
  if (counting.length === 0) return "none";
  const usual = newcomersRights(settings);
  const given = new Set<PermissionName>();
  for (const { may } of counting) {
    const names = may === "default" ? namesOf(usual) : may;
    for (const name of names) given.add(name);
  }
  return permissionsWhere((name) => given.has("admin") || given.has(name));
}

function namesOf(perm: User["perm"]): PermissionName[] {
  return (Object.keys(perm) as PermissionName[]).filter((name) => perm[name]);
}
