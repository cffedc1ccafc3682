import { schemaKey } from "./keys/schema.ts";
import { type Migration, migrations } from "./migrations.ts";
import type { Store } from "./store.ts";

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
        `Cannot open the store: its schema is version ${version}, this program knows ${steps.length}`,
      );
    }
    const step = steps[version];
    if (!step) return;
    await store.atomic((operation) => step(operation.check(schema).set(schemaKey(), version + 1)));
  }
}
