import * as v from "valibot";
import { factorMethods } from "./choices/choices.ts";
import { about, choice, count, time } from "./parts.ts";
import { tokenUserSchema } from "./user.ts";

/** The schema of {@linkcode SessionInfo}. */
export const sessionSchema = about(
  "One of your sessions.",
  v.object({
    sid: v.pipe(v.string(), v.regex(/^[\w-]+$/)),
    created: time,
    lastSeen: about("At most a minute behind.", time),
    address: about("The client's, when the session began.", v.string()),
    agent: about("The `User-Agent` header of then.", v.string()),
    current: about("Whether this very request was made in it.", v.boolean()),
  }),
);

/** One session as its user sees it. Times are RFC 3339. */
export type SessionInfo = v.InferOutput<typeof sessionSchema>;

/** The schema of {@linkcode SessionClaims}. */
export const tokenClaimsSchema = about(
  "What the second part of a token says, once decoded.",
  v.object({
    iss: about("Always that, for File Browser's clients.", v.literal("File Browser")),
    sid: about("The session; the token is valid only while it is open.", v.string()),
    gen: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description("The generation: one more at each renewal."),
    ),
    ver: about("The version of the user's record.", count),
    user: tokenUserSchema,
    iat: about("When it was made, in seconds since 1970.", count),
    exp: about("When it ends, in seconds since 1970.", count),
  }),
);

/** The claims of a session token. `exp` and `iat` are in seconds since 1970. */
export type SessionClaims = v.InferOutput<typeof tokenClaimsSchema>;

/** The schema of {@linkcode ErrorBody}. */
export const errorSchema = about(
  "A refusal, for a request that accepts JSON by name.",
  v.object({
    code: v.pipe(v.string(), v.regex(/^[a-z_]+$/), v.description("Stable: made to be translated.")),
    message: v.pipe(v.string(), v.regex(/^Cannot /), v.description("One sentence, for a person.")),
    factors: v.optional(about(
      "With `second_factor_required`: what the user has, under the host name of the request.",
      v.array(choice(factorMethods)),
    )),
  }),
);

/** The body of an error when the request accepts JSON. */
export type ErrorBody = v.InferOutput<typeof errorSchema>;
