/**
 * The enumerations of answers about access, for the browser as well: this file imports no library.
 */

/** The actions that an administrator can ask about for a user and an entry. */
export const askedActions = [
  "view",
  "download",
  "create",
  "change",
  "rename",
  "delete",
  "share",
  "run",
] as const;

/** One of {@linkcode askedActions}. */
export type AskedAction = typeof askedActions[number];

/** Why something is refused. */
export const reasonKinds = [
  "permission",
  "rule",
  "hidden",
  "link",
  "reserved",
  "read_only",
  "scope",
  "top",
  "missing",
  "blocked",
  "invalid_name",
  "quota",
  "commands_off",
  "no_commands",
  "enrol",
  "system",
  "disk",
] as const;

/** One of {@linkcode reasonKinds}. */
export type ReasonKind = typeof reasonKinds[number];

/** Whose a rule is. */
export const ruleOwners = ["global", "group", "user"] as const;
