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

/** Frees what was made and left a moment ago, the buffers behind it too. It takes a millisecond. */
export function collectYoung(): void {
  scope.gc?.({ type: "minor" });
}
