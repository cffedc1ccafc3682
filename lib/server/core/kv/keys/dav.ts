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
