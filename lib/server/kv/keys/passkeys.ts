/**
 * A question to a passkey that is not answered yet, about 300 bytes, for ten minutes; below a digest
 * of the address that has asked for it, so that those of one address can be counted.
 *
 * @param id random
 */
export function passkeyChallengeKey(place: string, id: string): Deno.KvKey {
  return ["passkey_challenges", place, id];
}

/** Prefix of the open questions to passkeys from an address; without one, of all. */
export function passkeyChallengesPrefix(place?: string): Deno.KvKey {
  return place === undefined ? ["passkey_challenges"] : ["passkey_challenges", place];
}

/** Set once any user has set up a passkey: the sign-in page offers it from then on. */
export function passkeysInUseKey(): Deno.KvKey {
  return ["passkeys_in_use"];
}
