import { latestTime } from "../time.ts";
import * as v from "valibot";
import { about, flag, nameUpTo, time, userId } from "./parts.ts";

/** The longest name of an API token, in characters. */
export const maxTokenNameLength = 100;

/** The schema of {@linkcode ApiTokenInfo}. */
export const apiTokenSchema = about(
  "A key for a program, as its owner and administrators see it.",
  v.object({
    id: about(
      "A digest: the token itself cannot be found out from it.",
      v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
    ),
    name: v.string(),
    write: about("Whether it may change files.", v.boolean()),
    share: about("Whether it may share them.", v.boolean()),
    folder: about(
      "The only folder that it works in; null for all. Also null if the folder has left " +
        "the scope of its owner, where the token is useless.",
      v.nullable(v.string()),
    ),
    bound: about("Whether it is limited to a folder.", v.boolean()),
    userID: userId,
    created: time,
    expires: about("When it ends; null for never.", v.nullable(time)),
    lastUsed: about("At most a minute behind; null before the first use.", v.nullable(time)),
  }),
);

/** An API token without its secret. Times are RFC 3339. */
export type ApiTokenInfo = v.InferOutput<typeof apiTokenSchema>;

/** The schema of {@linkcode NewApiToken}. */
export const newApiTokenSchema = about(
  "A new key for a program.",
  v.object({
    ...apiTokenSchema.entries,
    token: about(
      "The token, returned this once.",
      v.pipe(v.string(), v.regex(/^cubby_[\w-]{43}$/)),
    ),
  }),
);

/** An API token with its secret. */
export type NewApiToken = v.InferOutput<typeof newApiTokenSchema>;

/** The schema of {@linkcode ApiTokenDraft}. */
export const apiTokenDraftSchema = v.object({
  name: about(
    "What it is for, so that it is found again.",
    nameUpTo(maxTokenNameLength),
  ),
  write: about("Whether it may change files.", v.optional(flag, false)),
  share: about("Whether it may share them.", v.optional(flag, false)),
  folder: about(
    "The only folder for it to work in; null or none for all.",
    v.optional(v.nullable(v.string("a text")), null),
  ),
  expires: about(
    "When it is to end (RFC 3339); null or none for never.",
    v.optional(
      v.nullable(v.pipe(
        v.string("a time"),
        v.check((time) => Date.parse(time) <= latestTime, "a time of RFC 3339"),
      )),
      null,
    ),
  ),
});

/** The request for a new API token. */
export type ApiTokenDraft = v.InferOutput<typeof apiTokenDraftSchema>;
