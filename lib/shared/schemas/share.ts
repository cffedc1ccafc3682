import * as v from "valibot";
import { shareUnits } from "./choices.ts";
import { about, count, userId } from "./parts.ts";

/** The schema of {@linkcode ShareInfo}. */
export const shareSchema = about(
  "What somebody lets others have by a link.",
  v.object({
    hash: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/), v.description("Who knows it may come.")),
    path: v.pipe(
      v.string(),
      v.startsWith("/"),
      v.description("In one's own scope; of others' shares, below the server's root."),
    ),
    userID: userId,
    expire: about("Seconds since 1970; 0 for ever.", count),
    hasPassword: v.boolean(),
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
const longest = 2 ** 31 - 1;

const expires = `a whole number up to ${longest}, or 0 for ever`;

/** The schema of a new share; "" stands for no password, and for no end. */
export const shareRequestSchema = v.object({
  password: about("At most 72 bytes; empty for none.", v.string("a text")),
  unit: v.optional(v.picklist(shareUnits, `one of ${shareUnits.join(", ")}`), "hours"),
  expires: about(
    "How many units it lasts, up to 2,147,483,647; 0 or nothing for ever.",
    v.union([
      v.pipe(
        v.number(expires),
        v.integer(expires),
        v.minValue(0, expires),
        v.maxValue(longest, expires),
      ),
      v.pipe(
        v.string(expires),
        v.check((digits) => /^\d*$/.test(digits) && Number(digits) <= longest, expires),
        v.transform(Number),
      ),
    ], expires),
  ),
});
