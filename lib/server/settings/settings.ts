import { allPermissions } from "../access/permissions.ts";
import type { Branding, HookEvent, Settings } from "../../shared/api_types.ts";

/** The events that command lines can be hooked to. */
export const hookEvents = [
  "before_save",
  "after_save",
  "before_copy",
  "after_copy",
  "before_rename",
  "after_rename",
  "before_upload",
  "after_upload",
  "before_delete",
  "after_delete",
] as const satisfies readonly HookEvent[];

export type { Branding, HookEvent, Settings };

/** The settings of a server where nobody has changed any. */
export function defaultSettings(): Settings {
  return {
    signup: false,
    createUserDir: false,
    rules: [],
    shell: [],
    commands: {
      before_save: [],
      after_save: [],
      before_copy: [],
      after_copy: [],
      before_rename: [],
      after_rename: [],
      before_upload: [],
      after_upload: [],
      before_delete: [],
      after_delete: [],
    },
    defaults: {
      scope: "/",
      locale: "",
      viewMode: "list",
      singleClick: false,
      sorting: { by: "name", asc: true },
      perm: { ...allPermissions(), admin: false, execute: false },
      commands: [],
      hideDotfiles: false,
      dateFormat: false,
    },
    branding: { name: "", disableExternal: false, theme: "", files: "" },
  };
}
