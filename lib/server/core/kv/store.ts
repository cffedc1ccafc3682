import { DomainError } from "../../../shared/errors.ts";
import { isLocalHttp } from "../../../shared/loopback.ts";
import { ReadCache } from "./read_cache.ts";
import { ReadRecorder } from "./recorded_reads.ts";
import { counted, timed } from "./store_metrics.ts";
import { retryLocked } from "./retry_locked.ts";
import { RemoteStore, type StoreNetwork } from "./remote_store.ts";
import { checkSchema, migrate, migrations } from "./schema.ts";
import { type StoreVersion, versionOf } from "./store_version.ts";

/**
 * An open store. Every method retries while another thread or process locks the file; of a store on
 * the network it throws `busy` while that is away.
 */
export interface Store {
  /** One record. */
  get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>>;
  /** Up to ten records, read at one moment. */
  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }>;
  /** Every record below a prefix, in the order of the keys. */
  list<T>(prefix: Deno.KvKey): Promise<Deno.KvEntry<T>[]>;
  /** Reads in a way that the methods above do not have; `work` may run several times. */
  read<T>(work: (kv: Pick<Deno.Kv, "list" | "watch">) => Promise<T>): Promise<T>;
  /**
   * The result of `read` for the record of a key, and others: kept until a record that it has read
   * is written, by any thread or process, so that it is never older than the call. It is frozen.
   */
  cachedRead<T>(key: Deno.KvKey, read: () => Promise<T>): Promise<T>;
  /**
   * Commits one atomic operation; `build` adds its checks and mutations and may run several times.
   * The result is not `ok` when a check failed.
   */
  atomic(
    build: (operation: Deno.AtomicOperation) => Deno.AtomicOperation,
  ): Promise<Deno.KvCommitResult | Deno.KvCommitError>;
  /** Whether the last commit of this thread failed by the store's file or disk. */
  readonly isFailing?: boolean;
  /** Only of a store on the network, which several machines may use. */
  readonly network?: StoreNetwork;
  close(): void;
}

/** How a store is opened. */
export interface OpeningOptions {
  /** Takes sentences for the log. */
  note?(sentence: string): void;
  /** Leaves the schema as it is, for a copy that the version which wrote it can still open. */
  keepsSchema?: boolean;
}

/**
 * Opens the store and migrates it to the present schema. This is the only place that opens a
 * database; all other code receives a `Store`.
 *
 * @param location a file (created with mode 0600: it contains password hashes and the signing key),
 * `:memory:`, `:default:` for the platform's own, or the URL of a KV Connect server: of https, or
 * of http on this machine
 * @throws Error when the location is a plain http URL, or the store has a newer schema
 * @throws DomainError `busy` with the reason, when a server is not there or refuses
 */
export async function openStore(
  location: string,
  { note = () => {}, keepsSchema = false }: OpeningOptions = {},
): Promise<Store> {
  const prepare = keepsSchema ? checkSchema : (store: Store) => migrate(store, migrations, note);
  if (location.startsWith("http://") && !isLocalHttp(location)) {
    throw new Error(`Cannot open the store "${location}": records travel under https only`);
  }
  if (/^https?:/.test(location)) {
    const store = await prepared(await RemoteStore.open(location, note), prepare);
    store.followSchema();
    return store;
  }
  if (!/^:\w+:$/.test(location)) await createPrivately(location);
  const kv = await retryLocked(() => Deno.openKv(pathOf(location)));
  return await prepared(storeOf(kv, versionOf(location)), prepare);
}

async function prepared<S extends Store>(
  store: S,
  prepare: (store: Store) => Promise<void>,
): Promise<S> {
  try {
    await prepare(store);
  } catch (error) {
    store.close();
    throw error;
  }
  return store;
}

/** Without a path Deno opens the store of the platform. */
function pathOf(location: string): string | undefined {
  return location === ":default:" ? undefined : location;
}

/** A file that is there is not opened: closing it would end the lock that the launcher has put on it. */
async function createPrivately(path: string): Promise<void> {
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** A store as `read()` has it: what a cached value depends on is recorded. */
function recorded(kv: Deno.Kv): Pick<Deno.Kv, "list" | "watch"> {
  const recorder = ReadRecorder.current;
  if (!recorder) return kv;
  return {
    list: recorder.listing(kv),
    watch(...args) {
      recorder.addUnknown();
      return kv.watch(...args);
    },
  };
}

function storeOf(kv: Deno.Kv, version: StoreVersion): Store {
  const reads = new ReadCache(version);
  let isFailing = false;
  return {
    async get<T>(key: Deno.KvKey) {
      const entry = await counted(() => retryLocked(() => kv.get<T>(key)));
      ReadRecorder.current?.addEntry(entry);
      return entry;
    },
    async getMany(keys) {
      const entries = await counted(() => retryLocked(() => kv.getMany(keys)));
      for (const entry of entries) ReadRecorder.current?.addEntry(entry);
      return entries;
    },
    async list<T>(prefix: Deno.KvKey) {
      const entries = await counted(() =>
        retryLocked(() => Array.fromAsync(kv.list<T>({ prefix })))
      );
      ReadRecorder.current?.addList(prefix, entries);
      return entries;
    },
    read: (work) => counted(() => retryLocked(() => work(recorded(kv)))),
    cachedRead: (key, read) => reads.get(key, read),
    async atomic(build) {
      try {
        const result = await timed(() => retryLocked(() => build(kv.atomic()).commit()));
        isFailing = false;
        version.countCommit?.();
        return result;
      } catch (error) {
        isFailing = error instanceof DomainError;
        throw error;
      }
    },
    get isFailing() {
      return isFailing;
    },
    close() {
      version.close?.();
      kv.close();
    },
  };
}
