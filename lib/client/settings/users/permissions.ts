import type { Permissions } from "../../../shared/api_types.ts";

/** What an administrator grants, in the order in which it is shown; `admin` comes before all. */
export const GRANTS = [
  "create",
  "delete",
  "download",
  "modify",
  "rename",
  "share",
  "execute",
] as const satisfies readonly (keyof Permissions)[];

/** The permissions with one given or taken: an administrator's include all others. */
export function withPermission(
  perm: Permissions,
  name: keyof Permissions,
  given: boolean,
): Permissions {
  if (name !== "admin" || !given) return { ...perm, [name]: given };
  const all = GRANTS.map((each) => [each, true]);
  return { ...perm, ...Object.fromEntries(all), admin: true };
}
