/** The enumerations of the activity log, for the browser as well: this file imports no library. */

/** The scope of the activity log: nothing, changes, or downloads as well. */
export const auditLevels = ["off", "changes", "reads"] as const;

/** One of {@linkcode auditLevels}. */
export type AuditLevel = typeof auditLevels[number];

const signins = ["signin", "signin_failed", "signout"] as const;

const changes = [
  "upload",
  "save",
  "mkdir",
  "copy",
  "move",
  "trash",
  "delete",
  "restore",
  "purge",
  "archive",
  "extract",
] as const;

const shares = [
  "share_add",
  "share_change",
  "share_remove",
  "share_visit",
  "share_download",
  "request_add",
  "request_change",
  "request_remove",
] as const;

const accounts = [
  "factor_add",
  "factor_rename",
  "factor_remove",
  "recovery_renew",
  "user_add",
  "user_change",
  "user_remove",
  "invite_add",
  "invite_remove",
  "group_add",
  "group_change",
  "group_remove",
  "token_add",
  "token_remove",
] as const;

const server = [
  "settings_change",
  "webhook_add",
  "webhook_change",
  "webhook_remove",
  "command",
  "lost",
] as const;

/** The actions of the activity log, in the order in which they are offered. */
export const auditActions = [
  ...signins,
  ...changes,
  "download",
  ...shares,
  ...accounts,
  ...server,
] as const;

/** One of {@linkcode auditActions}. */
export type AuditAction = typeof auditActions[number];

/** The actions by what they are about, in the order in which the page of the log offers them. */
export const auditGroups = {
  signins,
  changes,
  deletions: ["trash", "delete", "purge"],
  reads: ["download", "share_visit", "share_download"],
  shares,
  accounts,
  server,
} as const satisfies Record<string, readonly AuditAction[]>;

/** One of {@linkcode auditGroups}. */
export type AuditGroup = keyof typeof auditGroups;

/** The names of {@linkcode auditGroups}. */
export const auditGroupNames = Object.keys(auditGroups) as AuditGroup[];
