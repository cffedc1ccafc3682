/** A deletion or move under way that records by path have to follow, at most 20 KiB: two paths. */
export function pendingChangeKey(id: string): Deno.KvKey {
  return ["pending_changes", id];
}

/** Prefix of these records. */
export function pendingChangesPrefix(): Deno.KvKey {
  return ["pending_changes"];
}
