/** V8's own function; the launcher enables it with `--expose-gc`. */
const scope = globalThis as typeof globalThis & {
  gc?(options: { type: "minor" } | { type: "major"; flavor: "last-resort" }): void;
};

/** From this number of entries on, freeing their records is worth it: about 40 MB for 100,000. */
const manyEntries = 20_000;

/**
 * Returns memory of a finished task to the system now: V8 would let as much pile up again before it
 * collects. Takes tens of milliseconds, so it belongs in a Worker. Does nothing without the
 * function, as in tests.
 *
 * @param entries the number that the task examined; few are left to V8
 */
export function collectGarbage(entries: number): void {
  if (entries >= manyEntries) scope.gc?.({ type: "major", flavor: "last-resort" });
}

/** Idle time of a Worker before it returns memory, in milliseconds. */
const idleMs = 1_000;

let idle: ReturnType<typeof setTimeout> | undefined;
/** When the thread was busy last, by `performance.now()`. */
let busyAt = 0;
/** What the last collection left, in bytes. */
let afterLast = 0;

/**
 * Returns memory once a thread is idle: call it whenever that may be the case. An idle V8 would
 * keep garbage, such as that of cancelled searches, for good.
 *
 * @param isIdle checked after the idle time
 * @param afterMs the idle time, in milliseconds
 */
export function collectWhenIdle(isIdle: () => boolean, afterMs = idleMs): void {
  if (!scope.gc) return;
  busyAt = performance.now();
  idle ??= setTimeout(collect, afterMs, isIdle, afterMs);
}

function collect(isIdle: () => boolean, afterMs: number): void {
  const leftMs = busyAt + afterMs - performance.now();
  idle = leftMs > 0 ? setTimeout(collect, leftMs, isIdle, afterMs) : undefined;
  if (idle || !isIdle()) return;
  scope.gc?.({ type: "major", flavor: "last-resort" });
  afterLast = heldBytes();
}

/** A serving thread's idle time before it returns memory: between two clicks it is ready. */
const quietMs = 5_000;
/** Less garbage is not worth the time. */
const minGarbageBytes = 8 * 2 ** 20;

/**
 * Like {@linkcode collectWhenIdle}, for serving threads: after a longer time, and where it is worth
 * it, so that a probe now and then costs nothing.
 *
 * @param isQuiet checked after the quiet time
 */
export function collectWhenQuiet(isQuiet: () => boolean): void {
  collectWhenIdle(() => isQuiet() && heldBytes() >= afterLast + minGarbageBytes, quietMs);
}

function heldBytes(): number {
  const { heapTotal, external } = Deno.memoryUsage();
  return heapTotal + external;
}

/** A collection of short-lived objects runs after this many bytes of other threads. */
const bytesPerCollection = 4 * 2 ** 20;

let received = 0;

/**
 * Counts buffers that came from other threads, and frees those that are not in use any more: V8 is
 * slow to do so, as it counts only their small wrapper objects. A collection takes a millisecond.
 *
 * @param bytes the length of the latest ones
 */
export function collectReceived(bytes: number): void {
  received += bytes;
  if (received < bytesPerCollection) return;
  received = 0;
  scope.gc?.({ type: "minor" });
}

const latest = new Map<string, readonly unknown[]>();

/**
 * Keeps the objects of some work until the next of its kind. When a collection finds no object of a
 * class, V8 drops the code that it has optimized for the class: after each idle second, a listing of
 * 10,000 entries would take 1.5 times the processor time, and a search 1.2 times.
 *
 * @param kind of the work
 * @param objects one of each class, and small
 */
export function keepLatest(kind: string, ...objects: unknown[]): void {
  latest.set(kind, objects);
}
