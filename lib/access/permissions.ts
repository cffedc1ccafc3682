import type { Permissions } from "../api_types.ts";
import { permissionNames } from "../shared/schemas/choices.ts";

/** Every permission, which is what `admin` implies. */
export function allPermissions(): Permissions {
  return permissionsOf(true);
}

/** None at all. */
export function noPermissions(): Permissions {
  return permissionsOf(false);
}

function permissionsOf(given: boolean): Permissions {
  return Object.fromEntries(permissionNames.map((name) => [name, given])) as Permissions;
}
