/** The key of a throttle: one account from one address, one address, or one account. */
export type AttemptKind = "account_address" | "address" | "account";

/**
 * The failures of one subject: at most 50, about 2 KiB. The subject is a digest, so that the key
 * has a fixed length, and a password typed into the name field is not stored.
 */
export function attemptsKey(kind: AttemptKind, digest: string): Deno.KvKey {
  return ["attempts", kind, digest];
}

/** Prefix of all throttles. */
export function attemptsPrefix(): Deno.KvKey {
  return ["attempts"];
}
