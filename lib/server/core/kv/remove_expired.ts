import type { Store } from "./store.ts";

/**
 * Removes the records below a prefix that are over, unless they change meanwhile. The store is not
 * given the times at which records expire: Deno KV would end the whole process when it cannot
 * remove one, as on a full disk.
 *
 * @param drop adds the deletion to the operation, that of index entries included
 * @throws DomainError `disk_full`
 */
export async function removeExpired<T>(
  store: Store,
  prefix: Deno.KvKey,
  isOver: (value: T) => boolean,
  drop: (operation: Deno.AtomicOperation, entry: Deno.KvEntry<T>) => Deno.AtomicOperation = (
    operation,
    { key },
  ) => operation.delete(key),
): Promise<void> {
  for (const entry of await store.list<T>(prefix)) {
    if (isOver(entry.value)) await store.atomic((operation) => drop(operation.check(entry), entry));
  }
}
