/**
 * A sign-in that is under way at a provider, about 500 bytes, for ten minutes; below a digest of
 * the address that it came from, so that those of one address can be counted.
 *
 * @param id random
 */
export function signInKey(place: string, id: string): Deno.KvKey {
  return ["sign_ins", place, id];
}

/** Prefix of the sign-ins that are under way from an address; without one, of all. */
export function signInsPrefix(place?: string): Deno.KvKey {
  return place === undefined ? ["sign_ins"] : ["sign_ins", place];
}
