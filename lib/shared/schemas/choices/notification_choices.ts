/** The enumerations of notifications, for the browser as well: this file imports no library. */

/** The kinds of notifications. */
const notificationTopics = [
  "requests",
  "shares",
  "shared",
  "jobs",
  "quota",
  "server",
  "security",
] as const;

/** One of {@linkcode notificationTopics}. */
export type NotificationTopic = typeof notificationTopics[number];

/** The topics that a user may turn off, in the order in which they are offered: not `security`. */
export const mutableTopics = ["requests", "shares", "shared", "jobs", "quota", "server"] as const;

/** One of {@linkcode mutableTopics}. */
export type MutableTopic = typeof mutableTopics[number];

/** The kinds of notifications, and what each is about. */
export const topicOfKind = {
  /** Files have arrived by a request of one's own. */
  received: "requests",
  /** A share whose owner wants to know was used for the first time. */
  share_opened: "shares",
  /** The downloads of such a share are used up. */
  share_used_up: "shares",
  /** Somebody shares something with oneself. */
  shared_with_me: "shared",
  /** A job has ended while its user was away. */
  job_done: "jobs",
  /** The same, but entries of it failed. */
  job_failed: "jobs",
  /** The quota is nearly used up. */
  quota_near: "quota",
  /** A webhook is switched off, for administrators. */
  webhook_ended: "server",
  /** A sign-in from a kind of device that was not seen before. */
  new_device: "security",
  /** A second factor was added or removed. */
  factors_changed: "security",
  /** Somebody else has set the password. */
  password_changed: "security",
} as const satisfies Record<string, NotificationTopic>;

/** One of the keys of {@linkcode topicOfKind}. */
export type NotificationKind = keyof typeof topicOfKind;

/** The keys of {@linkcode topicOfKind}. */
export const notificationKinds = Object.keys(topicOfKind) as NotificationKind[];

/** Most notifications of a user that are kept. */
export const maxNotifications = 100;

/** How many a page has unless the request says, and at most. */
export const usualPage = 20;
