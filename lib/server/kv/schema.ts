import { areaUsagePrefix } from "./keys/quotas.ts";
import { backfillKey, schemaKey } from "./keys/server.ts";
import { indexMigrations } from "./index_migrations.ts";
import type { Store } from "./store.ts";
import { userCountsKey } from "./keys/users.ts";

/** Adds mutations to an atomic operation. */
type Mutations = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

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

/** What a backfill writes. */
export interface Writes {
  set(key: Deno.KvKey, value: unknown): this;
  delete(key: Deno.KvKey): this;
}

/** Mutations for each record below a prefix, in batches of {@linkcode batchSize}. */
export interface Backfill {
  prefix: Deno.KvKey;
  /**
   * The mutations for one record. They must have the same result when they are applied to a record
   * that was written by the present version. Those of a record that come to more than twenty leave
   * the record itself as it is: a batch of many mutations takes several operations.
   */
  change(writes: Writes, record: Deno.KvEntry<unknown>): Writes;
}

/** Progress of a backfill: which migration it belongs to, and the cursor after the last batch. */
interface Progress {
  step: number;
  cursor?: string;
}

/** Records of one batch: Deno KV takes up to 100 checks and 800 KiB in an operation. */
const batchSize = 50;

/** Mutations of one operation: Deno KV takes up to 1,000. */
const mostWrites = 990;

/** A batch ends with the record by which it has more characters, as JSON. */
const batchLength = 100_000;

/** The parts of a store that migrations use. */
type MigratedStore = Pick<Store, "getMany" | "atomic" | "read">;

/**
 * Runs the pending migrations, in order. Each change, and each batch of a backfill, is one atomic
 * operation that checks and advances the version or the progress. So several threads and processes
 * may open one store at once, and a process that is killed leaves what the next one resumes.
 *
 * @throws Error when the store was written by a newer program
 */
export async function migrate(
  store: MigratedStore,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  while (true) {
    const [schema, progress] = await store.getMany<[number, Progress]>([
      schemaKey(),
      backfillKey(),
    ]);
    const version = schema.value ?? 0;
    refuseNewer(version, steps.length);
    if (progress.value !== null) {
      await fillBatch(store, progress, steps[progress.value.step]?.backfill);
      continue;
    }
    const step = steps[version];
    if (!step) return;
    await store.atomic((operation) => {
      operation.check(schema, progress).set(schemaKey(), version + 1);
      if (step.backfill) operation.set(backfillKey(), { step: version });
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
  const { value } = await store.get<number>(schemaKey());
  refuseNewer(value ?? 0, migrations.length);
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new Error(
    `Cannot open the store: its schema is version ${version}, this program knows ${known}` +
      "; a newer version of the program wrote it, and can open it",
  );
}

/** A batch that loses a race is repeated, from the progress that the winner has made. */
async function fillBatch(
  store: MigratedStore,
  progress: Deno.KvEntryMaybe<Progress>,
  backfill: Backfill | undefined,
): Promise<void> {
  const { step, cursor: former } = progress.value ?? { step: 0 };
  const { records, cursor } = await store.read((kv) => readBatch(kv, backfill?.prefix, former));
  const writes: Mutations[] = [];
  const list: Writes = {
    set(key, value) {
      writes.push((operation) => operation.set(key, value));
      return this;
    },
    delete(key) {
      writes.push((operation) => operation.delete(key));
      return this;
    },
  };
  for (const record of records) backfill?.change(list, record);
  // Only the last operation advances the progress: after a kill all are repeated.
  for (let start = 0, ok = true; ok; start += mostWrites) {
    const isLast = start + mostWrites >= writes.length;
    ({ ok } = await store.atomic((operation) => {
      operation.check(progress, ...records);
      for (const write of writes.slice(start, start + mostWrites)) write(operation);
      if (!isLast) return operation;
      return cursor === undefined
        ? operation.delete(backfillKey())
        : operation.set(backfillKey(), { step, cursor });
    }));
    if (isLast) return;
  }
}

/** The next records, and the cursor behind them; without one they are the last. */
async function readBatch(
  kv: Pick<Deno.Kv, "list">,
  prefix: Deno.KvKey | undefined,
  former: string | undefined,
): Promise<{ records: Deno.KvEntry<unknown>[]; cursor?: string }> {
  const records: Deno.KvEntry<unknown>[] = [];
  if (!prefix) return { records };
  const list = kv.list<unknown>({ prefix }, { limit: batchSize, cursor: former });
  let length = 0;
  for await (const record of list) {
    records.push(record);
    length += JSON.stringify(record.value)?.length ?? 0;
    if (length > batchLength) return { records, cursor: list.cursor };
  }
  return records.length < batchSize ? { records } : { records, cursor: list.cursor };
}

/**
 * Every migration, oldest first; a store's schema version is the number of those applied. Append
 * only: existing stores have run the earlier ones.
 *
 * Add one whenever an older version would misread a record: a right that it does not know, a limit
 * that it would not enforce, an index that it would not write. An empty one raises the number.
 * `tests/unit/kv/record_shapes_test.ts` fails when a record changes without it.
 */
export const migrations: readonly Migration[] = [
  { change: (operation) => operation.set(userCountsKey(), { nextId: 1, users: 0, admins: 0 }) },
  // Groups, named roots, quotas, second factors, API tokens, and shares with an audience or a limit
  // on downloads: an older version would give more than they allow. What quotas count includes
  // folders from now on: the next write has it counted.
  {
    backfill: {
      prefix: areaUsagePrefix(),
      change: (operation, { key, value }) =>
        operation.set(key, { ...value as object, countedAt: 0, counting: null }),
    },
  },
  ...indexMigrations,
];
