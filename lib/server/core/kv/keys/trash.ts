/** An entry in a user's trash, at most 20 KiB: two paths and some numbers. Ids ascend with time. */
export function trashKey(userId: number, id: string): Deno.KvKey {
  return ["trash", userId, id];
}

/** Prefix of what is in a user's trash; without one, in all users'. */
export function trashPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["trash"] : ["trash", userId];
}

/** The top of a disk that has a trash: its path, at most 9 KiB. The key has a digest of it. */
export function trashTopKey(digest: string): Deno.KvKey {
  return ["trash_tops", digest];
}

/** Prefix of these records. */
export function trashTopsPrefix(): Deno.KvKey {
  return ["trash_tops"];
}
