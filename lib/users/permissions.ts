import type { Permissions } from "../api_types.ts";

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
