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
