/** A share by its hash, at most 18 KiB: two paths and a bcrypt hash. */
export function shareKey(hash: string): Deno.KvKey {
  return ["shares", hash];
}

/** Prefix of shares. */
export function sharesPrefix(): Deno.KvKey {
  return ["shares"];
}

/** The index of shares by user: empty values. */
export function userShareKey(userId: number, hash: string): Deno.KvKey {
  return ["user_shares", userId, hash];
}

/** Prefix of the index of a user's shares; without one, of all users'. */
export function userSharesPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["user_shares"] : ["user_shares", userId];
}

/**
 * The index of shares by path: empty values. Paths may be longer than keys, so the key has a digest
 * of each segment; readers compare the path itself.
 */
export function sharePlaceKey(segments: Uint8Array[], hash: string): Deno.KvKey {
  return ["share_places", ...segments, hash];
}

/** Prefix of the shares at or below a path, apart from hash collisions. */
export function sharePlacesPrefix(segments: Uint8Array[]): Deno.KvKey {
  return ["share_places", ...segments];
}
