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

/**
 * Returns memory once a Worker is idle: call it whenever that may be the case. An idle V8 would
 * keep garbage, such as that of cancelled searches, for good.
 *
 * @param isIdle checked after the idle time
 */
export function collectWhenIdle(isIdle: () => boolean): void {
  if (!scope.gc) return;
  clearTimeout(idle);
  idle = setTimeout(() => {
    if (isIdle()) scope.gc?.({ type: "major", flavor: "last-resort" });
  }, idleMs);
}

/** Frees short-lived objects, including their buffers. Takes a millisecond. */
export function collectYoung(): void {
  scope.gc?.({ type: "minor" });
}
