import type { Permissions } from "../../shared/api_types.ts";

/** Every permission, which is what `admin` implies. */
export function allPermissions(): Permissions {
  return {
    admin: true,
    create: true,
    delete: true,
    download: true,
    execute: true,
    modify: true,
    rename: true,
    share: true,
  };
}

/** None at all. */
export function noPermissions(): Permissions {
  return {
    admin: false,
    create: false,
    delete: false,
    download: false,
    execute: false,
    modify: false,
    rename: false,
    share: false,
  };
}
