/**
 * A folder with uploads: its path and a time, at most 9 KiB. The key has a digest of the path,
 * which may be longer than a key.
 */
export function uploadFolderKey(digest: string): Deno.KvKey {
  return ["upload_folders", digest];
}

/** Prefix of these records. */
export function uploadFoldersPrefix(): Deno.KvKey {
  return ["upload_folders"];
}

/**
 * An unfinished resumable upload of a user, at most 20 KiB: two paths and some numbers. The key has
 * a digest of the path, which may be longer than a key.
 */
export function uploadPartKey(userId: number, digest: string): Deno.KvKey {
  return ["upload_parts", userId, digest];
}

/** Prefix of these records. @param userId whose; of all users unless given */
export function uploadPartsPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["upload_parts"] : ["upload_parts", userId];
}

/**
 * How an upload ended, for an hour, at most 1 KiB. A user has a fixed number of places: a later
 * upload replaces an earlier one in the same place.
 */
export function finishedUploadKey(userId: number, place: number): Deno.KvKey {
  return ["finished_uploads", userId, place];
}

/** Prefix of these records. */
export function finishedUploadsPrefix(): Deno.KvKey {
  return ["finished_uploads"];
}

/** A deletion or move under way that records by path have to follow, at most 20 KiB: two paths. */
export function pendingChangeKey(id: string): Deno.KvKey {
  return ["pending_changes", id];
}

/** Prefix of these records. */
export function pendingChangesPrefix(): Deno.KvKey {
  return ["pending_changes"];
}
