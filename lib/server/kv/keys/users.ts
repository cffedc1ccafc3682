/**
 * Users. A record is one value of less than 64 KiB (limited in `lib/server/kv/size.ts`); a user
 * name has at most 255 characters, so that a key with it stays below 2 KiB.
 */
export function userKey(id: number): Deno.KvKey {
  return ["users", id];
}

/** Prefix of user records, in the order of the ids. */
export function usersPrefix(): Deno.KvKey {
  return ["users"];
}

/** The index of names: contains the id only. */
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

/** One small record with the counts of users and administrators and the next id. */
export function rosterKey(): Deno.KvKey {
  return ["user_roster"];
}
