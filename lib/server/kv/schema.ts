import { schemaKey } from "./keys/server.ts";
import type { Store } from "./store.ts";
import { userCountsKey } from "./keys/users.ts";

/**
 * Runs the pending migrations, in order. Each is one atomic operation that also checks and
 * increments the version, so that several threads and processes may open one store at once: each
 * migration runs exactly once.
 *
 * @throws Error when the store was written by a newer program
 */
export async function migrate(
  store: Pick<Store, "get" | "atomic">,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  while (true) {
    const schema = await store.get<number>(schemaKey());
    const version = schema.value ?? 0;
    if (version > steps.length) {
      throw new Error(
        `Cannot open the store: its schema is version ${version}, this program knows ${steps.length}` +
          "; a newer version of the program wrote it, and can open it",
      );
    }
    const step = steps[version];
    if (!step) return;
    await store.atomic((operation) => step(operation.check(schema).set(schemaKey(), version + 1)));
  }
}

/** One schema change: adds its mutations to the operation that increments the version. */
export type Migration = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

/**
 * Every migration, oldest first; a store's schema version is the number of those applied. Append
 * only: existing stores have run the earlier ones.
 */
export const migrations: readonly Migration[] = [
  (operation) => operation.set(userCountsKey(), { nextId: 1, users: 0, admins: 0 }),
];
