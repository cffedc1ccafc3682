/**
 * A question to a passkey that was answered, about 30 bytes, until it would have expired: within
 * ten minutes.
 *
 * @param id random
 */
export function passkeyChallengeKey(id: string): Deno.KvKey {
  return ["passkey_challenges", id];
}

/** Prefix of the answered questions to passkeys. */
export function passkeyChallengesPrefix(): Deno.KvKey {
  return ["passkey_challenges"];
}

/** Set once any user has set up a passkey: the sign-in page offers it from then on. */
export function passkeysInUseKey(): Deno.KvKey {
  return ["passkeys_in_use"];
}
