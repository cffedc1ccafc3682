import { AsyncLocalStorage } from "node:async_hooks";
import { storedKey } from "./stored_key.ts";

/** Most reads of one value and records that they find, so that they are quick to compare. */
const maxWeight = 200;

/** What a read has found: a record or none, or the records of a range of keys. */
export interface RecordedRead {
  /** The first key, as it is in the table of the store. */
  from: Uint8Array<ArrayBuffer>;
  /** The end of the range; null for one key. */
  before: Uint8Array<ArrayBuffer> | null;
  /** How many records there were, and the latest of their versions. */
  count: number;
  newest: number;
}

/**
 * Records what is read of a store, to find out later whether the same reads would find the same: a
 * record that is written gets a version above all others, so that a range has the same records as
 * long as it has as many with the same latest version.
 */
export class ReadRecorder {
  static readonly #current = new AsyncLocalStorage<ReadRecorder>();
  readonly #reads: RecordedRead[] = [];
  #weight = 0;
  #isKnown = true;

  /** The recorder of what is running now. */
  static get current(): ReadRecorder | undefined {
    return this.#current.getStore();
  }

  /** Records what `work` reads, and what it calls. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return ReadRecorder.#current.run(this, work);
  }

  /** The reads; null when some could not be recorded, or were too many. */
  get reads(): readonly RecordedRead[] | null {
    return this.#isKnown && this.#reads.length > 0 ? this.#reads : null;
  }

  /** The number of the reads, and of the records that they have found. */
  get weight(): number {
    return this.#weight;
  }

  /** A read that is not told in detail. */
  addUnknown(): void {
    this.#isKnown = false;
  }

  /** The reads of a value that was kept. */
  addAll(reads: readonly RecordedRead[] | null): void {
    if (reads) { for (const read of reads) this.#add(read); }
    else this.addUnknown();
  }

  /** One record, or that there is none. */
  addEntry({ key, versionstamp }: Pick<Deno.KvEntryMaybe<unknown>, "key" | "versionstamp">): void {
    this.#addRange(storedKey(key), null, versionstamp === null ? [] : [versionstamp]);
  }

  /** All records below a prefix. */
  addList(prefix: Deno.KvKey, entries: readonly Pick<Deno.KvEntry<unknown>, "versionstamp">[]) {
    const from = storedKey(prefix);
    this.#addRange(from, from && afterAll(from), entries.map((entry) => entry.versionstamp));
  }

  /** Lists as a store does, and records it. */
  listing(kv: Pick<Deno.Kv, "list">): Deno.Kv["list"] {
    return <T>(selector: Deno.KvListSelector, options: Deno.KvListOptions = {}) => {
      const entries = kv.list<T>(selector, options);
      const isPlain = "prefix" in selector && !("end" in selector) && !options.reverse &&
        !options.cursor;
      if (isPlain) {
        const recorded = this.#listed(entries, selector, options.limit ?? Infinity);
        return Object.assign(recorded, { cursor: "" });
      }
      this.addUnknown();
      return entries;
    };
  }

  async *#listed<T>(
    entries: Deno.KvListIterator<T>,
    selector: { prefix: Deno.KvKey; start?: Deno.KvKey },
    limit: number,
  ): AsyncGenerator<Deno.KvEntry<T>, undefined> {
    const versions: string[] = [];
    let last: Deno.KvKey | null = null;
    let isWhole = false;
    try {
      for await (const entry of entries) {
        versions.push(entry.versionstamp);
        last = entry.key;
        yield entry;
      }
      isWhole = versions.length < limit;
    } finally {
      const prefix = storedKey(selector.prefix);
      const end = isWhole || !last ? prefix && afterAll(prefix) : storedKey(last);
      const from = selector.start ? storedKey(selector.start) : prefix;
      // What is behind the last one does not matter where only so many were read.
      const before = end && (isWhole || !last ? end : new Uint8Array([...end, 0]));
      if (before) this.#addRange(from, before, versions);
      else this.addUnknown();
    }
  }

  #addRange(
    from: Uint8Array<ArrayBuffer> | null,
    before: Uint8Array<ArrayBuffer> | null,
    versionstamps: readonly string[],
  ): void {
    if (!from) return this.addUnknown();
    const newest = versionstamps.reduce((max, stamp) => Math.max(max, versionIn(stamp)), 0);
    this.#add({ from, before, count: versionstamps.length, newest });
  }

  #add(read: RecordedRead): void {
    this.#weight += 1 + read.count;
    if (this.#weight > maxWeight) this.addUnknown();
    else this.#reads.push(read);
  }
}

/** The end of the range of all keys that begin with a prefix and have further parts. */
function afterAll(prefix: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...prefix, 0xff]);
}

/** The version of a record in its table. */
function versionIn(versionstamp: string): number {
  return Number.parseInt(versionstamp.slice(0, 16), 16);
}
