import type { Permissions } from "../../shared/api_types.ts";
import { permissionsWhere } from "../../shared/schemas/choices.ts";

/** Every permission, which is what `admin` implies. */
export function allPermissions(): Permissions {
  return permissionsWhere(() => true);
}

/** None at all. */
export function noPermissions(): Permissions {
  return permissionsWhere(() => false);
}
