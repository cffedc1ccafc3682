import * as v from "valibot";
import { about, time, userId } from "./parts.ts";

/** The purpose of a link: a new user, or a new password of one. */
const inviteKinds = ["invite", "reset"] as const;

/** The longest life of a link, in hours. */
const maxInviteHours = 30 * 24;

const hours = `a whole number of hours from 1 to ${maxInviteHours}`;

/** The schema of {@linkcode InviteDraft}. */
export const inviteDraftSchema = v.object({
  username: about(
    "The name of the new user; absent or null where the invited chooses it.",
    v.optional(v.nullable(v.string("a text")), null),
  ),
  userID: about(
    "The user whose password the link sets; absent or null to invite a new one.",
    v.optional(v.nullable(userId), null),
  ),
  hours: about(
    "How long the link works.",
    v.optional(
      v.pipe(
        v.number(hours),
        v.integer(hours),
        v.minValue(1, hours),
        v.maxValue(maxInviteHours, hours),
      ),
      72,
    ),
  ),
  mail: about(
    "The address that the link is sent to as well; absent or null for none.",
    v.optional(v.nullable(v.string("a text")), null),
  ),
});

/** The request for a new link. */
export type InviteDraft = v.InferOutput<typeof inviteDraftSchema>;

/** The schema of {@linkcode InviteInfo}. */
export const inviteSchema = about(
  "A link that makes a user or sets a password once, as administrators see it.",
  v.object({
    id: about("A digest: the link cannot be found out from it.", v.string()),
    kind: about("For a new user, or for a new password of one.", v.picklist(inviteKinds)),
    username: about("The user's name; null where the invited chooses it.", v.nullable(v.string())),
    userID: about("The user whose password it sets; null for a new one.", v.nullable(userId)),
    by: about("The administrator who made it.", v.string()),
    created: time,
    expires: time,
  }),
);

/** A link without its secret. Times are RFC 3339. */
export type InviteInfo = v.InferOutput<typeof inviteSchema>;

/** The schema of {@linkcode NewInvite}. */
export const newInviteSchema = about(
  "A new link.",
  v.object({
    ...inviteSchema.entries,
    token: about(
      "Its secret, shown only once: the link is `/invite#` with it.",
      v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
    ),
  }),
);

/** A link with its secret. */
export type NewInvite = v.InferOutput<typeof newInviteSchema>;

/** The schema of {@linkcode OpenedInvite}. */
export const openedInviteSchema = about(
  "What a link is for, for those who have it.",
  v.object({
    kind: about("For a new user, or for a new password of one.", v.picklist(inviteKinds)),
    username: about("The user's name; null where one is to be chosen.", v.nullable(v.string())),
  }),
);

/** The purpose of a link. */
export type OpenedInvite = v.InferOutput<typeof openedInviteSchema>;
