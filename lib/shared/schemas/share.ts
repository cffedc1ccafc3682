import * as v from "valibot";
import { recipientRights, shareUnits } from "./choices/choices.ts";
import { about, choice, count, flag, userId } from "./parts.ts";

const may = about(
  "`view`: files are shown, not offered to be saved; `download`; `upload`: files can be added to a " +
    "folder besides, under names that are free; `edit`: what is shared can be changed besides.",
  choice(recipientRights),
);

/** The schema of {@linkcode Recipient}. */
const recipientSchema = about(
  "Somebody whom a share is for.",
  v.object({ name: about("Of a user, or of a group with an `@` before it.", v.string()), may }),
);

/** Somebody whom a share is for. */
export type Recipient = v.InferOutput<typeof recipientSchema>;

/** The schema of {@linkcode ShareInfo}. */
export const shareSchema = about(
  "An entry that is shared by a link.",
  v.object({
    hash: v.pipe(
      v.string(),
      v.regex(/^[\w-]{1,64}$/),
      v.description("The secret part of the link: it grants access."),
    ),
    path: v.pipe(
      v.string(),
      v.startsWith("/"),
      v.description("In your scope; for shares of others, below the server's root."),
    ),
    userID: userId,
    expire: about("Seconds since 1970; 0 for no end.", count),
    hasPassword: v.boolean(),
    name: v.optional(
      about("A second address of the page; left out where there is none.", v.string()),
    ),
    downloadLimit: v.optional(about("Most downloads; left out without a limit.", count)),
    viewOnly: v.optional(about("Files are shown, not offered to be saved.", v.literal(true))),
    linkPreview: v.optional(
      about("Programs that unfurl the link see what is shared.", v.literal(true)),
    ),
    notify: v.optional(about("Its owner is notified of its use.", v.literal(true))),
    audience: v.optional(
      about(
        "The users and groups it is for, and without `anyone` the only ones who may open it; " +
          "left out if anyone with the link may.",
        v.array(recipientSchema),
      ),
    ),
    anyone: v.optional(
      about("Anyone with the link may open it, not only the `audience`.", v.literal(true)),
    ),
    anyoneMay: v.optional(
      about("What anyone with the link may do; left out for `download`.", choice(recipientRights)),
    ),
    downloads: v.optional(about("How many there were; left out before the first.", count)),
    lastUsed: v.optional(
      about("The last visit, in seconds since 1970; left out before the first.", count),
    ),
  }),
);

/** A share as its owner and administrators see it. */
export type ShareInfo = v.InferOutput<typeof shareSchema>;

/** The schema of {@linkcode ShareWithToken}. */
export const shareWithTokenSchema = about(
  "A share, with what its download link needs.",
  v.object({
    ...shareSchema.entries,
    token: about(
      "Opens the share for two hours, in place of the password; empty without one.",
      v.string(),
    ),
  }),
);

/** A share in answers about one entry: with the token that its download link needs. */
export type ShareWithToken = v.InferOutput<typeof shareWithTokenSchema>;

/** The longest lifetime of a share, in any unit. */
const maxNumber = 2 ** 31 - 1;

const expires = `a whole number up to ${maxNumber}, or 0 for ever`;

const lifetime = about(
  "How many units it lasts, up to 2,147,483,647 and to the end of the year 9999; 0 " +
    "or nothing for no end.",
  v.union([
    v.pipe(
      v.number(expires),
      v.integer(expires),
      v.minValue(0, expires),
      v.maxValue(maxNumber, expires),
    ),
    v.pipe(
      v.string(expires),
      v.check((digits) => /^\d*$/.test(digits) && Number(digits) <= maxNumber, expires),
      v.transform(Number),
    ),
  ], expires),
);

/** The longest name of a share, in characters. */
export const maxShareNameLength = 64;

/** A name of a share: lower case, so that it can be told by word of mouth. */
const shareNamePattern = /^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/;

const named = `3 to ${maxShareNameLength} of a-z, 0-9 and "-", or nothing`;

const limit = `a whole number up to ${maxNumber}, or 0 for none`;

/** The terms of a share that its owner may set. */
const termsEntries = {
  name: about(
    "A second address of the page, as `/share/summer`: 3 to 64 small letters, digits and hyphens, " +
      "which begin and end with a letter or a digit. Empty for none.",
    v.pipe(
      v.string(named),
      v.transform((name) => name.toLowerCase()),
      v.check((name) => name === "" || shareNamePattern.test(name), named),
    ),
  ),
  downloadLimit: about(
    "Most downloads; 0 for no limit.",
    v.pipe(v.number(limit), v.integer(limit), v.minValue(0, limit), v.maxValue(maxNumber, limit)),
  ),
  viewOnly: about("Files are shown, and not offered to be saved.", v.boolean("true or false")),
  linkPreview: about(
    "Programs that unfurl the link see what is shared, if no password protects it.",
    v.boolean("true or false"),
  ),
  notify: about(
    "Its owner gets a notification when it is first used, and when its downloads are used up.",
    v.boolean("true or false"),
  ),
  anyone: about(
    "Anyone with the link may open the share as well as the `audience`, which keeps its rights. " +
      "An `audience` that is set without this member is the only one who may.",
    v.boolean("true or false"),
  ),
  anyoneMay: about(
    "What anyone with the link may do, with or without an account: the rights of the `audience`. " +
      "Only where the link opens the share; `download` at first, and again, if it was more, when " +
      "`audience` or `anyone` is set without this member. At most what the setting `maxLinkRight` " +
      "allows. Protect a link that gives `upload` or " +
      "`edit` by a password or an end: whoever gets it can change your files.",
    choice(recipientRights),
  ),
};

/** Most users and groups that one share is for. */
const maxAudience = 100;

const names = `a list of up to ${maxAudience} names, each with a right, or null`;

const recipientsDraft = v.array(
  v.union([
    about("A name: they may download.", v.string(names)),
    v.object({ name: v.string(names), may }, names),
  ], names),
  names,
);

/** Whom a share is for. */
const audienceEntries = {
  audience: v.nullable(
    about(
      "The only users and groups who may open the share, signed in; groups have an `@` " +
        "before their names. An empty list for no user, null for anyone with the link.",
      v.pipe(recipientsDraft, v.maxLength(maxAudience, names)),
    ),
  ),
};

/** The schema of whom a share is for; absent for no word of it. */
export const shareAudienceSchema = v.partial(v.object(audienceEntries));

/** The schema of {@linkcode SharedWithMe}. */
export const sharedWithMeSchema = about(
  "A share of another user with you.",
  v.object({
    hash: v.pipe(v.string(), v.description("Opens it at `/share/{hash}`.")),
    hasPassword: v.optional(
      about(
        "It opens with a password; without it, nothing about the entry is shown.",
        v.literal(true),
      ),
    ),
    name: about(
      "Of the entry; empty for all that its owner has, and with a password.",
      v.string(),
    ),
    owner: v.string(),
    isDir: v.optional(about("A folder is shared; left out with a password.", flag)),
    created: v.optional(
      about("When it was made, in seconds since 1970; left out if unknown.", count),
    ),
    expire: about("Seconds since 1970; 0 for no end.", count),
    may: about("What one may do with it now; with a password, what the share gives.", may),
  }),
);

/** A share that another user has made for oneself. */
export type SharedWithMe = v.InferOutput<typeof sharedWithMeSchema>;

/** The schema of the terms of a share. */
export const shareTermsSchema = v.partial(v.object(termsEntries));

/** The schema of a new share; "" stands for no password, and for no end. */
export const shareRequestSchema = v.object({
  password: about("At most 72 bytes; empty for none.", v.string("a text")),
  unit: v.optional(v.picklist(shareUnits, `one of ${shareUnits.join(", ")}`), "hours"),
  expires: lifetime,
});

/** The protection and the lifetime of a link that is made or changed. */
export const lifetimeEntries = {
  ...shareRequestSchema.entries,
  unit: v.picklist(shareUnits, `one of ${shareUnits.join(", ")}`),
};

/** The schema of a change of a share; what is absent stays. */
export const shareChangeSchema = v.partial(v.object({
  path: about(
    "Another entry to share, in your scope; only for the owner of the share.",
    v.string("a text"),
  ),
  ...lifetimeEntries,
  ...termsEntries,
  ...audienceEntries,
}));
