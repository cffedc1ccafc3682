/** One session, about 500 bytes; below the user's id, so that a user's sessions can be listed. */
export function sessionKey(userId: number, sid: string): Deno.KvKey {
  return ["sessions", userId, sid];
}

/** Prefix of a user's sessions; without one, of all users'. */
export function sessionsPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["sessions"] : ["sessions", userId];
}

/** The 32 bytes that sign every token. */
export function signingKeyKey(): Deno.KvKey {
  return ["signing_key"];
}
