/**
 * Users. A record is one value, so it has less than 64 KiB (`lib/server/kv/size.ts` holds the limit);
 * a user name is at most 255 characters, so that a key made of it stays below 2 KiB.
 */
export function userKey(id: number): Deno.KvKey {
  return ["users", id];
}

/** Everything below it is a user record, in the order of the ids. */
export function usersPrefix(): Deno.KvKey {
  return ["users"];
}

/** The index of names: holds the id only. */
export function userNameKey(username: string): Deno.KvKey {
  return ["user_names", username];
}

/** The index of home folders made at signup, case folded: holds the id only. */
export function userHomeKey(home: string): Deno.KvKey {
  return ["user_homes", home];
}

/** One small record that counts users and administrators and knows the next id. */
export function rosterKey(): Deno.KvKey {
  return ["user_roster"];
}
