import { delay } from "../../../shared/delay.ts";
import { DomainError } from "../../../shared/errors.ts";
import { schemaVersion } from "./server_records.ts";
import { CircuitBreaker, timeoutMs } from "./circuit_breaker.ts";
import { migrations } from "./schema.ts";
import { counted, timed } from "./store_metrics.ts";

/** Timeout of the first connection, in milliseconds. */
const openingMs = 15_000;

/** Interval at which a store that is away is tried, in milliseconds. */
const retryMs = 1_000;

/** The longest text of a server that is quoted, in characters. */
const maxReasonLength = 200;

/** A store on the network. */
export interface StoreNetwork {
  /** Takes the value of a record, and later ones by any writer; some may be skipped. */
  follow<T>(key: Deno.KvKey, take: (value: T | null) => void): Disposable;
}

/** A record that is followed. */
interface Followed {
  key: Deno.KvKey;
  take: (value: unknown) => void;
  /** Ends its stream of values. */
  end?: () => void;
}

/**
 * A store on a KV Connect server. Calls take a bounded time, whatever the server does; while it is
 * away they are refused at once, and it is tried again by a new connection each second.
 */
export class RemoteStore implements StoreNetwork {
  readonly #location: string;
  readonly #note: (sentence: string) => void;
  readonly #breaker: CircuitBreaker;
  readonly #followed = new Set<Followed>();
  #kv: Deno.Kv;
  #isClosed = false;
  #isOutdated = false;

  private constructor(location: string, note: (sentence: string) => void, kv: Deno.Kv) {
    this.#location = location;
    this.#note = note;
    this.#kv = kv;
    this.#breaker = new CircuitBreaker((isAway) => this.#onChange(isAway));
  }

  /**
   * Connects to a server.
   *
   * @param note takes sentences for the log
   * @throws {DomainError} `busy` with the reason, when it is not there or refuses
   */
  static async open(location: string, note: (sentence: string) => void): Promise<RemoteStore> {
    try {
      const kv = await connect(location, openingMs);
      if (kv !== null) return new RemoteStore(location, note, kv);
    } catch (error) {
      throw new DomainError("busy", `Cannot open the store: ${reasonOf(error)}`);
    }
    throw new DomainError("busy", "Cannot open the store: it does not answer");
  }

  get network(): StoreNetwork {
    return this;
  }

  get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return counted(() => this.#run((kv) => kv.get<T>(key), timeoutMs.read));
  }

  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    return counted(() => this.#run((kv) => kv.getMany<T>(keys), timeoutMs.read));
  }

  list<T>(prefix: Deno.KvKey): Promise<Deno.KvEntry<T>[]> {
    return this.read((kv) => Array.fromAsync(kv.list<T>({ prefix })));
  }

  read<T>(work: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    return counted(() => this.#run(work, timeoutMs.list));
  }

  /** Reads each time: another node may have written. */
  cachedRead<T>(_key: Deno.KvKey, read: () => Promise<T>): Promise<T> {
    return read();
  }

  atomic(
    build: (operation: Deno.AtomicOperation) => Deno.AtomicOperation,
  ): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    return timed(() => this.#run((kv) => build(kv.atomic()).commit(), timeoutMs.write));
  }

  follow<T>(key: Deno.KvKey, take: (value: T | null) => void): Disposable {
    const followed: Followed = { key, take: (value) => take(value as T | null) };
    this.#followed.add(followed);
    void this.#watch(this.#kv, followed);
    return {
      [Symbol.dispose]: () => {
        this.#followed.delete(followed);
        followed.end?.();
      },
    };
  }

  /** Refuses all calls from the moment on at which a newer program has changed the schema. */
  followSchema(): void {
    this.follow<number>(schemaVersion.key(), (version) => {
      if (this.#isOutdated || (version ?? 0) <= migrations.length) return;
      this.#isOutdated = true;
      this.#note(`${outdated}; requests that need it are refused until this program is updated`);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#kv.close();
  }

  async #run<T>(work: (kv: Deno.Kv) => Promise<T>, ms: number): Promise<T> {
    if (this.#isOutdated) throw new DomainError("busy", outdated);
    return await this.#breaker.run(() => work(this.#kv), ms);
  }

  #onChange(isAway: boolean): void {
    if (this.#isClosed) return;
    this.#note(
      isAway
        ? "The store does not answer: requests that need it are refused until it does"
        : "The store answers again",
    );
    if (isAway) void this.#reconnect();
  }

  /** Tries new connections: the former one may hang for as long as the network keeps it. */
  async #reconnect(): Promise<void> {
    while (this.#breaker.isAway && !this.#isClosed) {
      await delay(retryMs);
      const fresh = await connect(this.#location, timeoutMs.read).catch(() => null);
      if (fresh === null) continue;
      if (!this.#breaker.isAway || this.#isClosed) return fresh.close();
      const former = this.#kv;
      this.#kv = fresh;
      former.close();
      for (const followed of this.#followed) void this.#watch(fresh, followed);
      this.#breaker.isAway = false;
    }
  }

  /**
   * Hands on each value of a record, until it is no longer followed or another connection is used.
   */
  async #watch(kv: Deno.Kv, followed: Followed): Promise<void> {
    try {
      const reader = kv.watch([followed.key]).getReader();
      followed.end = () => void reader.cancel().catch(() => {});
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Error("the answer has ended");
        if (this.#kv !== kv || !this.#followed.has(followed)) return followed.end();
        followed.take(value[0]?.value ?? null);
      }
    } catch (error) {
      if (this.#isClosed || this.#kv !== kv || !this.#followed.has(followed)) return;
      this.#note(`Cannot follow changes in the store: ${reasonOf(error)}`);
      await delay(retryMs);
      const isUsed = this.#kv === kv && this.#followed.has(followed);
      if (!this.#isClosed && isUsed) void this.#watch(kv, followed);
    }
  }
}

/** A connection; null when there is none in time. One that comes later is closed. */
async function connect(location: string, ms: number): Promise<Deno.Kv | null> {
  const opening = Deno.openKv(location);
  const late = new AbortController();
  try {
    const kv = await Promise.race([opening, delay(ms, late.signal)]);
    if (kv) return kv;
    void opening.then((kv) => kv.close(), () => {});
    return null;
  } finally {
    late.abort();
  }
}

const outdated = "Cannot use the store: a newer version of the program has changed its schema";

/** The obstacle between the client and the server, in one line. */
function reasonOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  if (line.includes("DENO_KV_ACCESS_TOKEN")) {
    return "DENO_KV_ACCESS_TOKEN must hold the token of its server";
  }
  if (line.includes("UnknownIssuer")) {
    return "its certificate is signed by an unknown authority; --database-ca names one";
  }
  return line.replace(/^Could not open Deno KV database: /, "").slice(0, maxReasonLength);
}
