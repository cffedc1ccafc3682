import { whileLocked } from "./locked.ts";
import { migrate } from "./schema.ts";

/** An open store. Every method retries while another thread or process locks the file. */
export interface Store {
  /** The database; its own methods may throw `database is locked`, those below do not. */
  readonly kv: Deno.Kv;
  /** One record. */
  get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>>;
  /** Up to ten records, read at one moment. */
  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }>;
  /** Every record below a prefix, in the order of the keys. */
  list<T>(prefix: Deno.KvKey): Promise<Deno.KvEntry<T>[]>;
  /**
   * Commits one atomic operation; `build` adds its checks and mutations and may run several times.
   * The result is not `ok` when a check failed.
   */
  atomic(
    build: (operation: Deno.AtomicOperation) => Deno.AtomicOperation,
  ): Promise<Deno.KvCommitResult | Deno.KvCommitError>;
  close(): void;
}

/**
 * Opens the store and migrates it to the present schema. This is the only place that opens a
 * database; all other code receives a `Store`.
 *
 * @param location a file (created with mode 0600: it contains password hashes and the signing key),
 * `:memory:`, or the https URL of a KV Connect server
 * @throws Error when the location is a plain http URL, or the store has a newer schema
 */
export async function openStore(location: string): Promise<Store> {
  if (location.startsWith("http://")) {
    throw new Error(`Cannot open the store "${location}": records travel under https only`);
  }
  const isFile = location !== ":memory:" && !location.startsWith("https://");
  if (isFile) await createPrivately(location);
  const store = storeOf(await whileLocked(() => Deno.openKv(location)));
  try {
    await migrate(store);
  } catch (error) {
    store.close();
    throw error;
  }
  return store;
}

async function createPrivately(path: string): Promise<void> {
  const file = await Deno.open(path, { write: true, create: true, mode: 0o600 });
  file.close();
}

function storeOf(kv: Deno.Kv): Store {
  return {
    kv,
    get: (key) => whileLocked(() => kv.get(key)),
    getMany: (keys) => whileLocked(() => kv.getMany(keys)),
    list: <T>(prefix: Deno.KvKey) => whileLocked(() => Array.fromAsync(kv.list<T>({ prefix }))),
    atomic: (build) => whileLocked(() => build(kv.atomic()).commit()),
    close: () => kv.close(),
  };
}
