/** An account elsewhere: its subject never changes and is never given to another account. */
export interface Identity {
  /** The provider of the account, such as the issuer of OpenID Connect; without spaces. */
  issuer: string;
  /** The account's id there: up to 255 characters. */
  subject: string;
}

/**
 * A user by id. A record is one value of less than 64 KiB (limited in `lib/server/core/kv/size.ts`); a user
 * name has at most 255 characters, so that a key with it stays below 2 KiB.
 */
export function userKey(id: number): Deno.KvKey {
  return ["users", id];
}

/** Prefix of user records, in the order of the ids. */
export function usersPrefix(): Deno.KvKey {
  return ["users"];
}

/** The index of the names of users: contains the id only. */
export function userNameKey(username: string): Deno.KvKey {
  return ["user_names", username];
}

/** Prefix of the index of names. */
export function userNamesPrefix(): Deno.KvKey {
  return ["user_names"];
}

/** The index of home folders made at signup, case folded: contains the id only. */
export function userHomeKey(home: string): Deno.KvKey {
  return ["user_homes", home];
}

/** Prefix of the index of home folders. */
export function userHomesPrefix(): Deno.KvKey {
  return ["user_homes"];
}

/**
 * The index of accounts elsewhere: contains the id only. Issuer and subject are one part of the
 * key, as neither an issuer nor the word for a kind of account has a space in it.
 */
export function userIdentityKey({ issuer, subject }: Identity): Deno.KvKey {
  return ["user_identities", `${issuer} ${subject}`];
}

/** Prefix of the index of accounts elsewhere. */
export function userIdentitiesPrefix(): Deno.KvKey {
  return ["user_identities"];
}

/** One small record with the counts of users and administrators and the next id. */
export function userCountsKey(): Deno.KvKey {
  return ["user_roster"];
}
