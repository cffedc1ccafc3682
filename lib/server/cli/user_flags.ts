import type { Flag } from "./flags.ts";

/** What can be said of the users to come: the defaults of the settings. */
export const defaultsFlags: readonly Flag[] = [
  { name: "scope", value: "PATH" },
  { name: "locale", value: "LANGUAGE" },
  { name: "viewMode", value: "MODE" },
  { name: "singleClick" },
  { name: "hideDotfiles" },
  { name: "dateFormat" },
  { name: "commands", value: "LIST", between: /[\s,]+/ },
  { name: "sorting.by", value: "KEY" },
  { name: "sorting.asc" },
  { name: "perm.admin" },
  { name: "perm.create" },
  { name: "perm.delete" },
  { name: "perm.download" },
  { name: "perm.execute" },
  { name: "perm.modify" },
  { name: "perm.rename" },
  { name: "perm.share" },
];

/** What can be said of a user. */
export const userFlags: readonly Flag[] = [...defaultsFlags, { name: "lockPassword" }];

/** What can be said of a user who is there. */
export const userChangeFlags: readonly Flag[] = [
  { name: "username", short: "u", value: "NAME" },
  { name: "password", short: "p", value: "PASSWORD" },
  ...userFlags,
];
