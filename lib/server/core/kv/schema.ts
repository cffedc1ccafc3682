import {
  type Backfill,
  fillBatch,
  type MigratedStore,
  type Mutations,
  type Progress,
  ProgressReporter,
} from "./backfill.ts";
import { indexMigrations } from "./index_migrations.ts";
import { backfillProgress, schemaVersion } from "./server_records.ts";
import type { Store } from "./store.ts";

/**
 * One schema change. It raises the number first, so that older versions refuse the store from then
 * on, and fills indexes afterwards.
 */
export interface Migration {
  /** Mutations in the operation that raises the number. */
  change?: Mutations;
  /** Mutations for each record that exists, such as the entries of a new index. */
  backfill?: Backfill;
}

/**
 * Runs the pending migrations, in order. Each change is one atomic operation that checks and
 * advances the version. Each batch of a backfill is several, of which the last one advances the
 * progress. So several threads and processes may open one store at once, and a process that is
 * killed leaves what the next one resumes.
 *
 * @param note takes the progress of a long one every few seconds, so that it is not taken for a
 * process that hangs
 * @throws Error when the store was written by a newer program
 */
export async function migrate(
  store: MigratedStore,
  steps: readonly Migration[] = migrations,
  note: (sentence: string) => void = () => {},
): Promise<void> {
  const reporter = new ProgressReporter(store, note);
  while (true) {
    const [schema, progress] = await store.getMany<[number, Progress]>([
      schemaVersion.key(),
      backfillProgress.key(),
    ]);
    const version = schema.value ?? 0;
    refuseNewer(version, steps.length);
    if (progress.value !== null) {
      await fillBatch(store, progress, steps[progress.value.step]?.backfill, reporter);
      continue;
    }
    const step = steps[version];
    if (!step) return;
    await store.atomic((operation) => {
      operation.check(schema, progress).set(schema.key, version + 1);
      if (step.backfill) operation.set(progress.key, { step: version });
      return step.change?.(operation) ?? operation;
    });
  }
}

/**
 * Refuses a store that was written by a newer program, and changes nothing.
 *
 * @throws Error
 */
export async function checkSchema(store: Pick<Store, "get">): Promise<void> {
  refuseNewer(await schemaVersion.get(store) ?? 0, migrations.length);
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new Error(
    `Cannot open the store: its schema is version ${version}, this program knows ${known}` +
      "; a newer version of the program wrote it, and can open it",
  );
}

/**
 * Every migration, oldest first; a store's schema version is the number of those applied. Append
 * only: existing stores have run the earlier ones.
 *
 * Add one whenever an older version would misread a record: a right that it does not know, a limit
 * that it would not enforce, an index that it would not write. An empty one raises the number.
 * `tests/unit/core/kv/record_shapes_test.ts` fails when a record changes without it.
 */
export const migrations: readonly Migration[] = [
  { change: (operation) => operation.set(["user_roster"], { nextId: 1, users: 0, admins: 0 }) },
  // Groups, named roots, quotas, second factors, API tokens, and shares with an audience or a limit
  // on downloads: an older version would give more than they allow. What quotas count includes
  // folders from now on: the next write has it counted.
  {
    backfill: {
      name: "the usage of quotas",
      prefix: ["area_usage"],
      change: (operation, { key, value }) =>
        operation.set(key, { ...value as object, countedAt: 0, counting: null }),
    },
  },
  ...indexMigrations,
];
