/**
 * How much a scope holds that has a limit, with its path: at most 10 KiB. The key has a digest of
 * the path, which may be longer than a key.
 */
export function scopeUsageKey(digest: string): Deno.KvKey {
  return ["scope_usage", digest];
}

/** Prefix of these records. */
export function scopeUsagePrefix(): Deno.KvKey {
  return ["scope_usage"];
}

/** Room in a scope that is reserved for what is being written, about 100 bytes. */
export function roomKey(digest: string, name: string): Deno.KvKey {
  return ["reserved_room", digest, name];
}

/** Prefix of what is reserved in a scope; without one, in all. */
export function roomPrefix(digest?: string): Deno.KvKey {
  return digest === undefined ? ["reserved_room"] : ["reserved_room", digest];
}
