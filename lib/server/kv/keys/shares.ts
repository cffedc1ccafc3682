/** A share by its hash, at most 18 KiB: two paths and a bcrypt hash. */
export function shareKey(hash: string): Deno.KvKey {
  return ["shares", hash];
}

/** Everything below it is a share. */
export function sharesPrefix(): Deno.KvKey {
  return ["shares"];
}

/** The index of who shares what: holds nothing. */
export function userShareKey(userId: number, hash: string): Deno.KvKey {
  return ["user_shares", userId, hash];
}

/** Everything below it is in the index of that user's shares. */
export function userSharesPrefix(userId: number): Deno.KvKey {
  return ["user_shares", userId];
}

/**
 * The index of what is shared where: holds nothing. Paths may be longer than keys, so the key has a
 * digest of each segment; who reads the index compares the path itself.
 */
export function sharePlaceKey(segments: Uint8Array[], hash: string): Deno.KvKey {
  return ["share_places", ...segments, hash];
}

/** Everything below it is shared at that place or below, apart from digests that are alike. */
export function sharePlacesPrefix(segments: Uint8Array[]): Deno.KvKey {
  return ["share_places", ...segments];
}
