/** A lock of WebDAV, at most 60 KiB, by its token. */
export function davLockKey(token: string): Deno.KvKey {
  return ["dav_locks", token];
}

/** Prefix of all locks. */
export function davLocksPrefix(): Deno.KvKey {
  return ["dav_locks"];
}

/** Changes with every new lock, so that two that exclude each other are never made at once. */
export function davLockTurnKey(): Deno.KvKey {
  return ["dav_lock_turn"];
}

/**
 * Properties that WebDAV clients have set on an entry: at most 60 KiB. The key has a digest of its
 * path.
 */
export function davPropertiesKey(digest: string): Deno.KvKey {
  return ["dav_properties", digest];
}

/** Prefix of the index of these properties by path, apart from collisions of digests. */
export function davPropertyPlacesPrefix(segments: Uint8Array[]): Deno.KvKey {
  return ["dav_property_places", ...segments];
}
