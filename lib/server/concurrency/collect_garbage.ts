/** V8's own function, which the launcher asks for with `--expose-gc`. */
const scope = globalThis as typeof globalThis & {
  gc?(options: { type: "minor" } | { type: "major"; flavor: "last-resort" }): void;
};

/** From so many entries on, the system's records of them are worth it: some 40 MB of 100,000. */
const manyEntries = 20_000;

/**
 * Gives memory that was used up in one go back to the system now: V8 would let as much pile up again
 * before it looks. It takes tens of milliseconds, so it belongs in a Worker. Without the function,
 * in tests, nothing happens.
 *
 * @param entries how many were looked at; few are left to V8
 */
export function collectGarbage(entries: number): void {
  if (entries >= manyEntries) scope.gc?.({ type: "major", flavor: "last-resort" });
}

/** How long a Worker has nothing to do before it gives memory back, in milliseconds. */
const idleMs = 1_000;

let idle: ReturnType<typeof setTimeout> | undefined;

/**
 * Gives memory back once a Worker has nothing to do: to be called whenever it may be so. What others
 * left behind, such as searches that were given up, would stay with an idle V8 for good.
 *
 * @param isIdle asked when the time has come
 */
export function collectWhenIdle(isIdle: () => boolean): void {
  if (!scope.gc) return;
  clearTimeout(idle);
  idle = setTimeout(() => {
    if (isIdle()) scope.gc?.({ type: "major", flavor: "last-resort" });
  }, idleMs);
}

/** Frees what was made and left a moment ago, the buffers behind it too. It takes a millisecond. */
export function collectYoung(): void {
  scope.gc?.({ type: "minor" });
}
