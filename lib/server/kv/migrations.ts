import { rosterKey } from "./keys/users.ts";

/** One change of what the store holds: adds its mutations to the operation that counts it. */
export type Migration = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

/**
 * Every migration, oldest first; a store's schema version is how many of them it has seen.
 * Append only: a store in the field has run the ones before.
 */
export const migrations: readonly Migration[] = [
  (operation) => operation.set(rosterKey(), { nextId: 1, users: 0, admins: 0 }),
];
