import type { EntryPath } from "../../../shared/path.ts";
import type { JobAction } from "../../../shared/schemas/job.ts";
import type { NotificationKind } from "../../../shared/schemas/choices/notification_choices.ts";
import { Collection } from "../../core/kv/collection.ts";

/** Something that a user is to be notified of. Times are in milliseconds since 1970. */
export interface Notice {
  userId: number;
  kind: NotificationKind;
  at: number;
  /** The user who did it, or the name that a visitor gave; absent for nobody who is known. */
  who?: string;
  /** Where it happened, below the server's root; absent where it is about no entry. */
  place?: EntryPath;
  /** Of the entry or the webhook that it is about. */
  name?: string;
  /** The hash of the share or the request. */
  link?: string;
  /** Names the visit: files that follow in it make the notification grow. */
  visit?: string;
  /** Files that arrived, entries of a job. */
  count?: number;
  bytes?: number;
  failed?: number;
  /** How many of the failed are done but for what was left out. */
  partial?: number;
  action?: JobAction;
  /** It is to be mailed to its user, and was not yet. */
  unmailed?: true;
  /** The `User-Agent` of a sign-in, and the address that it came from. */
  device?: string;
  address?: string;
}

/** A notification in the store. */
export interface StoredNotification extends Omit<Notice, "userId"> {
  id: string;
  read: boolean;
}

/** The notifications of a user: one record of at most 60 KiB. */
export const notificationLists = new Collection<readonly StoredNotification[], [userId: number]>(
  "notifications",
);

/** The facts about a user's notifications that are known without reading them. */
export interface NotificationState {
  unread: number;
  /** Rises with each change of the list. */
  edition: number;
  /** When the oldest was; null while there is none. */
  oldest: number | null;
  /** The kinds of devices that the user has signed in from; absent before the first. */
  devices?: string[];
  /** When a mail with notifications was sent last. */
  mailed?: number;
  /** The user was told that the quota is nearly used up, and it is since. */
  isNearQuota?: boolean;
}

/** How many notifications a user has not read, and the user's kinds of devices: at most 8 KiB. */
export const notificationStates = new Collection<NotificationState, [userId: number]>(
  "notification_states",
);

/** The state of a user who has never got a notification. */
export const noState: NotificationState = { unread: 0, edition: 0, oldest: null };
