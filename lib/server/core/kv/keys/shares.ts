/** How often a user has looked up names lately, about 50 bytes. */
export function nameLookupsKey(userId: number): Deno.KvKey {
  return ["name_lookups", userId];
}

/** Prefix of the counts of lookups. */
export function nameLookupsPrefix(): Deno.KvKey {
  return ["name_lookups"];
}

/** How a share was used, at most 16 KiB: its counts and the downloads that may be continued. */
export function shareUseKey(hash: string): Deno.KvKey {
  return ["share_uses", hash];
}

/** Prefix of the records of how shares were used. */
export function shareUsesPrefix(): Deno.KvKey {
  return ["share_uses"];
}
