import type { FamilyName } from "./families.ts";
import { seriesMemory, SharedSeries } from "./shared_series.ts";

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
