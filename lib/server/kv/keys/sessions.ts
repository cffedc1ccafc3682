/** One session, about 500 bytes; it goes with the user's other sessions, to be listed and ended. */
export function sessionKey(userId: number, sid: string): Deno.KvKey {
  return ["sessions", userId, sid];
}

/** Everything below it is a session of that user. */
export function sessionsPrefix(userId: number): Deno.KvKey {
  return ["sessions", userId];
}

/** The 32 bytes that sign every token. */
export function signingKeyKey(): Deno.KvKey {
  return ["signing_key"];
}
