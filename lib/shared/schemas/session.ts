import * as v from "valibot";
import { count, time } from "./parts.ts";
import { tokenUserSchema } from "./user.ts";

/** The schema of {@linkcode SessionInfo}. */
export const sessionSchema = v.pipe(
  v.object({
    sid: v.pipe(v.string(), v.regex(/^[\w-]+$/)),
    created: time,
    lastSeen: v.pipe(time, v.description("At most a minute behind.")),
    address: v.pipe(v.string(), v.description("The client's, when the session began.")),
    agent: v.pipe(v.string(), v.description("The `User-Agent` header of then.")),
    current: v.pipe(
      v.boolean(),
      v.description("Whether this very request was made in it."),
    ),
  }),
  v.description("One of one's own sessions."),
);

/** One session as its owner sees it. Times are RFC 3339. */
export type SessionInfo = v.InferOutput<typeof sessionSchema>;

/** The schema of {@linkcode SessionClaims}. */
export const tokenClaimsSchema = v.pipe(
  v.object({
    sid: v.pipe(
      v.string(),
      v.description("The session; the token counts only while that lives."),
    ),
    gen: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description("The generation: one more at each renewal."),
    ),
    ver: v.pipe(count, v.description("The version of the user's record.")),
    user: tokenUserSchema,
    iat: v.pipe(count, v.description("When it was made, in seconds since 1970.")),
    exp: v.pipe(count, v.description("When it ends, in seconds since 1970.")),
  }),
  v.description("What the second part of a token says, once decoded."),
);

/** What a session token says. `exp` and `iat` are in seconds since 1970. */
export type SessionClaims = v.InferOutput<typeof tokenClaimsSchema>;

/** The schema of {@linkcode ErrorBody}. */
export const errorSchema = v.pipe(
  v.object({
    code: v.pipe(
      v.string(),
      v.regex(/^[a-z_]+$/),
      v.description("Stable: made to be translated."),
    ),
    message: v.pipe(
      v.string(),
      v.regex(/^Cannot /),
      v.description("One sentence, for a person."),
    ),
  }),
  v.description("A refusal, for a request that accepts JSON by name."),
);

/** The body of an error when the request accepts JSON. */
export type ErrorBody = v.InferOutput<typeof errorSchema>;
