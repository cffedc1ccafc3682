import * as v from "valibot";
import { jobActions } from "./job.ts";
import { notificationKinds } from "./choices/notification_choices.ts";
import { about, count, flag, shape, time } from "./parts.ts";

/** The schema of {@linkcode NotificationInfo}. */
const notificationSchema = about(
  "Something that happened while its user did something else.",
  v.object({
    id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    kind: v.picklist(notificationKinds),
    time: about("When it happened last: some grow.", time),
    read: v.boolean(),
    who: about(
      "The user who did it, or the name that a visitor gave; null if unknown.",
      v.nullable(v.string()),
    ),
    name: about(
      "Of the folder, the entry or the webhook that it is about; empty for all that one has, null " +
        "for none, and for a share with a password.",
      v.nullable(v.string()),
    ),
    path: about(
      "Its path in your scope now; null if it is not about an entry of yours.",
      v.nullable(v.string()),
    ),
    link: about(
      "The hash of the share or the request; null for none, and for one that is over.",
      v.nullable(v.string()),
    ),
    count: about("Files that arrived, entries of a job; 0 for neither.", count),
    bytes: about("The size of files that arrived, what a quota holds; 0 for neither.", count),
    failed: about("Entries of a job that failed.", count),
    partial: v.optional(
      about("How many of the failed are done in part; 0 when absent.", count),
    ),
    action: about("What a job did.", v.nullable(v.picklist(jobActions))),
    device: about("The `User-Agent` of a sign-in.", v.nullable(v.string())),
    address: about("The address that it came from.", v.nullable(v.string())),
  }),
);

/** A notification as its user sees it. */
export type NotificationInfo = v.InferOutput<typeof notificationSchema>;

/** The schema of {@linkcode NotificationPage}. */
export const notificationPageSchema = about(
  "A page of notifications, the latest first.",
  v.object({
    unread: about("How many of all are not read.", count),
    items: v.array(notificationSchema),
    next: about("What `before` is for the next page; null at the end.", v.nullable(v.string())),
  }),
);

/** A page of notifications. */
export type NotificationPage = v.InferOutput<typeof notificationPageSchema>;

/** The schema of a change of a notification. */
export const notificationChangeSchema = shape({ read: about("Whether it is read.", flag) });

const aTime = "a time of RFC 3339";

/** The schema of a change of all notifications. */
export const notificationsChangeSchema = shape({
  ...notificationChangeSchema.entries,
  until: about(
    "Later ones stay as they are.",
    v.optional(v.pipe(v.string(aTime), v.isoTimestamp(aTime))),
  ),
});

/** How many notifications are not read, as event streams tell it. */
export interface UnreadState {
  unread: number;
  /** Rises with each change of the list. */
  edition: number;
}
