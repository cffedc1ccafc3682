import { Collection } from "../../core/kv/collection.ts";
import type { User } from "../accounts/users/user.ts";
import type { NotificationState } from "./notification.ts";

/** Notifications are gathered for the first mail of a user, in milliseconds. */
const gatherMs = 20_000;

/** Pause between two mails to a user: a flood of notifications is one mail. In milliseconds. */
export const mailPauseMs = 5 * 60_000;

/** A mail that a user is to get. */
export interface WaitingMail {
  /** In milliseconds since 1970. */
  due: number;
  failures: number;
}

/** When a user gets a mail with notifications: a few numbers. */
export const waitingMails = new Collection<WaitingMail, [userId: number]>("notification_mails");

/** The mail for a user who has just got a notification and wants it mailed. */
export function newMail({ mailed = 0 }: NotificationState, now: number): WaitingMail {
  return { due: Math.max(now + gatherMs, mailed + mailPauseMs), failures: 0 };
}

/** Whether a user wants notifications by mail, and has an address. */
export function wantsMail({ mail, mailNotifications }: Partial<User>): boolean {
  return mailNotifications === true && !!mail;
}
