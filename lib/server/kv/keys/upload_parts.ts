/**
 * An unfinished resumable upload of a user, at most 20 KiB: two paths and some numbers. The key has
 * a digest of the path, which may be longer than a key.
 */
export function uploadPartKey(userId: number, digest: string): Deno.KvKey {
  return ["upload_parts", userId, digest];
}

/** Prefix of these records. */
export function uploadPartsPrefix(): Deno.KvKey {
  return ["upload_parts"];
}
