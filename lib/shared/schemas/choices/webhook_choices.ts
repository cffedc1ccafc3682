/** The enumerations of webhooks, for the browser as well: this file imports no library. */
import type { AuditAction } from "./audit_choices.ts";

/** The longest name of a webhook, and its longest URL, in characters. */
export const maxWebhookNameLength = 100;
export const maxWebhookUrlLength = 2_000;

/** The kinds of events that a webhook can receive, in the order in which they are offered. */
export const webhookEvents = [
  "signins",
  "writes",
  "reads",
  "shares",
  "requests",
  "users",
  "settings",
  "commands",
] as const;

/** One of {@linkcode webhookEvents}. */
export type WebhookEvent = typeof webhookEvents[number];

/** The kind of each action; null for one that no webhook receives. */
const eventOfAction: Record<AuditAction, WebhookEvent | null> = {
  signin: "signins",
  signin_failed: "signins",
  signout: "signins",
  upload: "writes",
  save: "writes",
  mkdir: "writes",
  copy: "writes",
  move: "writes",
  trash: "writes",
  delete: "writes",
  restore: "writes",
  purge: "writes",
  archive: "writes",
  extract: "writes",
  download: "reads",
  share_add: "shares",
  share_change: "shares",
  share_remove: "shares",
  share_visit: "shares",
  share_download: "shares",
  request_add: "shares",
  request_change: "shares",
  request_remove: "shares",
  factor_add: "users",
  factor_rename: "users",
  factor_remove: "users",
  recovery_renew: "users",
  user_add: "users",
  user_change: "users",
  user_remove: "users",
  invite_add: "users",
  invite_remove: "users",
  group_add: "users",
  group_change: "users",
  group_remove: "users",
  token_add: "users",
  token_remove: "users",
  settings_change: "settings",
  webhook_add: "settings",
  webhook_change: "settings",
  webhook_remove: "settings",
  command: "commands",
  lost: null,
};

/** The kind of what was done. @param request whether a visitor did it by a request for files */
export function webhookEventOf(action: AuditAction, request = false): WebhookEvent | null {
  return request ? "requests" : eventOfAction[action];
}

/** Why a delivery failed, where no answer tells: see `docs/mail-and-webhooks.md`. */
export const deliveryFaults = ["refused", "unreachable", "timeout", "malformed"] as const;

/** One of {@linkcode deliveryFaults}. */
export type DeliveryFault = typeof deliveryFaults[number];

/** How a webhook is: at work, switched off by hand, or for its failures. */
export const webhookStates = ["on", "off", "failed", "gone"] as const;
