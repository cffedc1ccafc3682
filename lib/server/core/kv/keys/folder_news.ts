/** The latest folders in which something has changed: 500 digests at most, about 16 KiB. */
export function folderNewsKey(): Deno.KvKey {
  return ["folder_news"];
}
