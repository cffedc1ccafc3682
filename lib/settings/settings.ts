import type { Rule } from "../api_types.ts";
import type { UserPreferences } from "../users/user.ts";

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
] as const;

/** One of the events that command lines can be hooked to. */
export type HookEvent = typeof hookEvents[number];

/** How the site presents itself. */
export interface Branding {
  /** The site's name, or "" for the product's. */
  name: string;
  /** No links to other sites. */
  disableExternal: boolean;
  theme: "" | "light" | "dark";
  /** A folder on the server with `custom.css` and images, or "". */
  files: string;
}

/** What administrators settle for the whole server. */
export interface Settings {
  /** Visitors may make themselves a user. */
  signup: boolean;
  /** New users get a home folder of their own. */
  createUserDir: boolean;
  /** Apply to everybody, before the user's own. */
  rules: Rule[];
  /** The shell that hooked lines and typed ones are handed to, word by word; empty for none. */
  shell: string[];
  /** Command lines by event. */
  commands: Record<HookEvent, string[]>;
  /** What a new user starts with. */
  defaults: UserPreferences;
  branding: Branding;
}

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
      perm: {
        admin: false,
        create: true,
        delete: true,
        download: true,
        execute: false,
        modify: true,
        rename: true,
        share: true,
      },
      commands: [],
      hideDotfiles: false,
      dateFormat: false,
    },
    branding: { name: "", disableExternal: false, theme: "", files: "" },
  };
}
