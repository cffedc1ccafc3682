import type { Permissions, TokenUser } from "../api_types.ts";
import { usePage } from "./page.ts";

/** Whether somebody may do something: an administrator may do everything, nobody nothing. */
export function mayUser(
  user: Pick<TokenUser, "perm"> | null,
  permission: keyof Permissions,
): boolean {
  return user !== null && (user.perm.admin || user.perm[permission]);
}

/** What the user of the page may do. */
export function useMay(): (permission: keyof Permissions) => boolean {
  const { user } = usePage().data;
  return (permission) => mayUser(user, permission);
}
