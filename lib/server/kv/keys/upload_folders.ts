/**
 * A folder that has had uploads: a note of its path and a time, at most 9 KiB. The key has a digest
 * of the path, which may itself be longer than a key.
 */
export function uploadFolderKey(digest: string): Deno.KvKey {
  return ["upload_folders", digest];
}

/** Everything below it is such a note. */
export function uploadFoldersPrefix(): Deno.KvKey {
  return ["upload_folders"];
}
