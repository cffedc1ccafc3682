import { Buffer } from "node:buffer";
import { backfillProgress } from "./server_records.ts";
import type { Store } from "./store.ts";

/** Adds mutations to an atomic operation. */
export type Mutations = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

/** What a backfill writes. */
export interface Writes {
  set(key: Deno.KvKey, value: unknown): this;
  delete(key: Deno.KvKey): this;
}

/** Mutations for each record below a prefix, in batches of {@linkcode batchSize}. */
export interface Backfill {
  /** The records, for the log: `shares`. */
  name: string;
  prefix: Deno.KvKey;
  /**
   * The mutations for one record. They must have the same result when they are applied to a record
   * that was written by the present version. Those of the record itself are committed last.
   */
  change(writes: Writes, record: Deno.KvEntry<unknown>): Writes;
}

/**
 * Progress of a backfill: which migration it belongs to, the cursor after the last batch, and how
 * many records came before it.
 */
export interface Progress {
  step: number;
  cursor?: string;
  done?: number;
}

/** A mutation of a batch. */
interface BatchWrite {
  /** Its key as text. */
  key: string;
  /** The record, when it is the record itself that changes: it must not have changed meanwhile. */
  own: Deno.KvEntry<unknown> | null;
  /** Characters of the record that it is for, as JSON. */
  length: number;
  add: Mutations;
}

/** Records of one batch: the more, the fewer pages of the store's file are written to repeatedly. */
const batchSize = 10_000;

/** A batch ends with the record by which it has more characters, as JSON. */
const batchLength = 5_000_000;

/** Records of one read of the store. */
const readBatchSize = 500;

/**
 * Bounds of one operation: Deno KV takes up to 100 checks, 1,000 mutations, 80 KiB of keys, and
 * 800 KiB: the length is that of the records as JSON, in characters.
 */
const maxRecords = 95;
const maxWrites = 990;
const maxKeyBytes = 75_000;
const maxLength = 200_000;

/** Interval of the lines that report the progress of a backfill, in milliseconds. */
const reportEveryMs = 3_000;

/** The parts of a store that migrations use. */
export type MigratedStore = Pick<Store, "getMany" | "atomic" | "read">;

/** Reports the progress of backfills that take long. */
export class ProgressReporter {
  readonly #store: MigratedStore;
  readonly #note: (sentence: string) => void;
  #reported = performance.now();
  /** How many records there are, by the backfill: counted for the first line. */
  readonly #totals = new Map<Backfill, number>();

  constructor(store: MigratedStore, note: (sentence: string) => void) {
    this.#store = store;
    this.#note = note;
  }

  async report(backfill: Backfill | undefined, done: number): Promise<void> {
    if (!backfill || performance.now() - this.#reported < reportEveryMs) return;
    const { name, prefix } = backfill;
    const total = this.#totals.get(backfill) ??
      await this.#store.read((kv) => countRecords(kv, prefix));
    this.#totals.set(backfill, total);
    this.#note(`Migrating ${name}: ${grouped(Math.floor(done))} of ${grouped(total)}`);
    this.#reported = performance.now();
  }
}

async function countRecords(kv: Pick<Deno.Kv, "list">, prefix: Deno.KvKey): Promise<number> {
  let count = 0;
  for await (const _ of kv.list({ prefix }, { batchSize: 1_000 })) count++;
  return count;
}

/** A number with commas between thousands. */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/**
 * Runs the next batch of a backfill. A batch that loses a race is repeated, from the progress that
 * the winner has made.
 */
export async function fillBatch(
  store: MigratedStore,
  progress: Deno.KvEntryMaybe<Progress>,
  backfill: Backfill | undefined,
  reporter: ProgressReporter,
): Promise<void> {
  const { step, cursor: former, done = 0 } = progress.value ?? { step: 0 };
  const { records, cursor } = await store.read((kv) => readBatch(kv, backfill?.prefix, former));
  const operations = operationsOf(writesOf(records, backfill));
  // Only the last operation advances the progress: after a kill all are repeated.
  for (const [at, writes] of operations.entries()) {
    const isLast = at === operations.length - 1;
    const { ok } = await store.atomic((operation) => {
      operation.check(progress, ...writes.flatMap(({ own }) => own ?? []));
      for (const { add } of writes) add(operation);
      if (!isLast) return operation;
      return cursor === undefined
        ? operation.delete(backfillProgress.key())
        : operation.set(backfillProgress.key(), { step, cursor, done: done + records.length });
    });
    if (!ok) return;
    await reporter.report(backfill, done + records.length * (at + 1) / operations.length);
  }
}

/**
 * The mutations of a batch in the order of their keys, so that an operation writes to few pages of
 * the store's file. A key that several records write to is written to once. Those of the records
 * themselves come last: a record that has its present form has its indexes.
 */
function writesOf(
  records: readonly Deno.KvEntry<unknown>[],
  backfill: Backfill | undefined,
): BatchWrite[] {
  const found = new Map<string, BatchWrite>();
  for (const record of records) {
    const ownKey = textOf(record.key);
    const length = lengthOf(record);
    const note = (at: Deno.KvKey, add: Mutations) => {
      const key = textOf(at);
      found.set(key, { key, own: key === ownKey ? record : null, length, add });
    };
    const writes: Writes = {
      set(key, value) {
        note(key, (operation) => operation.set(key, value));
        return this;
      },
      delete(key) {
        note(key, (operation) => operation.delete(key));
        return this;
      },
    };
    backfill?.change(writes, record);
  }
  return [...found.values()].sort((one, other) =>
    Number(one.own !== null) - Number(other.own !== null) || (one.key < other.key ? -1 : 1)
  );
}

/** Divides mutations into operations: at least one, which may be empty. */
function operationsOf(writes: readonly BatchWrite[]): BatchWrite[][] {
  let current: BatchWrite[] = [];
  const operations = [current];
  let [checks, length, keyBytes] = [0, 0, 0];
  for (const write of writes) {
    const bytes = Buffer.byteLength(write.key);
    const isFull = current.length === maxWrites || checks === maxRecords ||
      length + write.length > maxLength || keyBytes + bytes > maxKeyBytes;
    if (isFull && current.length > 0) {
      operations.push(current = []);
      [checks, length, keyBytes] = [0, 0, 0];
    }
    current.push(write);
    checks += write.own ? 1 : 0;
    length += write.length;
    keyBytes += bytes;
  }
  return operations;
}

/** A key as text, different for each, which has at least as many bytes as the key in the store. */
function textOf(key: Deno.KvKey): string {
  let text = "";
  for (const part of key) {
    const isBytes = part instanceof Uint8Array;
    // The length tells where a part ends, whatever is in it.
    const content = isBytes ? String.fromCharCode(...part) : String(part);
    text += `${isBytes ? "bytes" : typeof part} ${content.length}:${content}`;
  }
  return text;
}

function lengthOf({ value }: Deno.KvEntry<unknown>): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** The next records, and the cursor behind them; without one they are the last. */
async function readBatch(
  kv: Pick<Deno.Kv, "list">,
  prefix: Deno.KvKey | undefined,
  former: string | undefined,
): Promise<{ records: Deno.KvEntry<unknown>[]; cursor?: string }> {
  const records: Deno.KvEntry<unknown>[] = [];
  if (!prefix) return { records };
  const options = { limit: batchSize, batchSize: readBatchSize, cursor: former };
  const list = kv.list<unknown>({ prefix }, options);
  let length = 0;
  for await (const record of list) {
    records.push(record);
    length += lengthOf(record);
    if (length > batchLength) return { records, cursor: list.cursor };
  }
  return records.length < batchSize ? { records } : { records, cursor: list.cursor };
}
