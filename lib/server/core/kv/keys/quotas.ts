/**
 * How many bytes an area with a quota holds, and the paths of its folders: at most 60 KiB, as they
 * stand in the records of users and groups. The key has a digest of them.
 */
export function areaUsageKey(digest: string): Deno.KvKey {
  return ["area_usage", digest];
}

/** Prefix of these records. */
export function areaUsagePrefix(): Deno.KvKey {
  return ["area_usage"];
}

/** Room that a write has reserved in an area with a quota, about 100 bytes. */
export function reservationKey(digest: string, name: string): Deno.KvKey {
  return ["reserved_room", digest, name];
}

/** Prefix of what is reserved in an area; without one, in all. */
export function reservationPrefix(digest?: string): Deno.KvKey {
  return digest === undefined ? ["reserved_room"] : ["reserved_room", digest];
}
