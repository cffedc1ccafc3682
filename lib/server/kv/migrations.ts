import { rosterKey } from "./keys/users.ts";

/** One schema change: adds its mutations to the operation that increments the version. */
export type Migration = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

/**
 * Every migration, oldest first; a store's schema version is the number of those applied. Append
 * only: existing stores have run the earlier ones.
 */
export const migrations: readonly Migration[] = [
  (operation) => operation.set(rosterKey(), { nextId: 1, users: 0, admins: 0 }),
];
