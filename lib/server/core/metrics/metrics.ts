import type { FamilyName } from "./families.ts";

/** The metrics of this process, as one of its threads sees them. */
interface Metrics {
  own: SharedSeries;
  /** The counts of all threads, including this one. */
  all: SharedSeries[];
}

/** Null while they are off: then nothing is counted, and no memory is taken. */
let metrics: Metrics | null = null;

/** A thread's place among the metrics of its process, for `joinMetrics()`. */
export interface MetricsPlace {
  memory: SharedArrayBuffer;
  thread: number;
  threads: number;
}

/**
 * Switches the metrics on in this thread.
 *
 * @param place shares them with other threads; without it, this thread counts alone
 */
export function joinMetrics(place?: MetricsPlace): void {
  if (metrics && !place) return;
  const { memory, thread, threads } = place ??
    { memory: seriesMemory(1), thread: 0, threads: 1 };
  const all = Array.from({ length: threads }, (_, index) => new SharedSeries(memory, index));
  const own = new SharedSeries(memory, thread);
  metrics = { own, all };
}

/** Whether this thread counts. */
export function hasMetrics(): boolean {
  return metrics !== null;
}

/** The sums over all threads, by the names of series with their labels. */
export function readMetrics(): Map<string, number> {
  const sums = new Map<string, number>();
  for (const series of metrics?.all ?? []) series.addTo(sums);
  return sums;
}

type HistogramPart = `${FamilyName}_${"bucket" | "sum" | "count"}`;

/** A counter or, with negative amounts, a gauge that is summed over the threads. */
export class Counter {
  readonly #name: string;
  #slot = -1;
  #of: SharedSeries | null = null;

  /** @param labels fixed sets of values alone: each combination is kept for ever */
  constructor(family: FamilyName | HistogramPart, labels: Readonly<Record<string, string>> = {}) {
    this.#name = seriesName(family, labels);
  }

  /** Adds to it; does nothing while metrics are off. */
  add(amount = 1): void {
    if (metrics === null) return;
    const { own } = metrics;
    if (this.#of !== own) {
      this.#slot = own.slotOf(this.#name);
      this.#of = own;
    }
    own.values[this.#slot] = (own.values[this.#slot] ?? 0) + amount;
  }
}

/** A distribution of durations. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #buckets: Counter[];
  readonly #all: Counter;
  readonly #sum: Counter;
  readonly #count: Counter;

  /** @param bounds upper bounds of the buckets in seconds, ascending */
  constructor(
    family: FamilyName,
    bounds: readonly number[],
    labels: Readonly<Record<string, string>> = {},
  ) {
    const bucket = (le: string) => new Counter(`${family}_bucket`, { ...labels, le });
    this.#bounds = bounds;
    this.#buckets = bounds.map((bound) => bucket(String(bound)));
    this.#all = bucket("+Inf");
    this.#sum = new Counter(`${family}_sum`, labels);
    this.#count = new Counter(`${family}_count`, labels);
  }

  /** Notes one duration, in seconds. */
  observe(seconds: number): void {
    if (metrics === null) return;
    for (const [index, bucket] of this.#buckets.entries()) {
      // Also the empty ones, so that every scrape has the same buckets.
      bucket.add(seconds <= (this.#bounds[index] ?? 0) ? 1 : 0);
    }
    this.#all.add();
    this.#sum.add(seconds);
    this.#count.add();
  }
}

/** The name of a series in the format of Prometheus: `family{label="value"}`. */
export function seriesName(family: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => {
    const escaped = value.replace(/[\\"\n]/g, (sign) => sign === "\n" ? "\\n" : `\\${sign}`);
    return `${label}="${escaped}"`;
  });
  return pairs.length === 0 ? family : `${family}{${pairs.join(",")}}`;
}

/** Most series of one thread. About 80 routes with 20 series each are known; labels are fixed sets. */
const maxSeries = 4096;
/** The longest full name of a series, in bytes. */
const maxNameBytes = 168;

const countBytes = 8;
const namesAt = countBytes;
const valuesAt = namesAt + maxSeries * maxNameBytes;

/** Bytes of the memory of one thread. */
const threadBytes = valuesAt + maxSeries * 8;

/** Memory for the series of some threads, which all threads of the process can read. */
export function seriesMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * threadBytes);
}

/**
 * The series that one thread writes: names with their labels, and a number each. No other thread
 * writes there, so that adding is a plain addition; a name is published after it is complete.
 */
class SharedSeries {
  readonly #count: Int32Array;
  readonly #names: Uint8Array;
  readonly #slots = new Map<string, number>();
  /** By slot. */
  readonly values: Float64Array;

  constructor(memory: SharedArrayBuffer, thread: number) {
    const start = thread * threadBytes;
    this.#count = new Int32Array(memory, start, 1);
    this.#names = new Uint8Array(memory, start + namesAt, maxSeries * maxNameBytes);
    this.values = new Float64Array(memory, start + valuesAt, maxSeries);
  }

  /**
   * The slot of a series, which is new at its first use; the last one takes all that have no place.
   *
   * @throws RangeError when the name is too long
   */
  slotOf(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.#slots.size;
    if (slot >= maxSeries - 1) return maxSeries - 1;
    const bytes = new TextEncoder().encode(name);
    if (bytes.length >= maxNameBytes) {
      throw new RangeError(`Cannot count "${name}": it is too long`);
    }
    this.#names.set(bytes, slot * maxNameBytes);
    this.#slots.set(name, slot);
    Atomics.store(this.#count, 0, slot + 1);
    return slot;
  }

  /** Adds the numbers of this thread, which may be another than the caller's, to a sum. */
  addTo(sums: Map<string, number>): void {
    const decoder = new TextDecoder();
    const count = Atomics.load(this.#count, 0);
    for (let slot = 0; slot < count; slot++) {
      // A copy: texts are not decoded from shared memory.
      const bytes = this.#names.slice(slot * maxNameBytes, (slot + 1) * maxNameBytes);
      const name = decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
      sums.set(name, (sums.get(name) ?? 0) + (this.values[slot] ?? 0));
    }
  }
}
