/** V8's own function, which the launcher asks for with `--expose-gc`. */
const scope = globalThis as typeof globalThis & {
  gc?(options: { type: "minor" } | { type: "major"; flavor: "last-resort" }): void;
};

/**
 * Gives memory that was used up in one go back to the system now: V8 would let as much pile up again
 * before it looks. It takes tens of milliseconds, so it belongs in a Worker. Without the function,
 * in tests, nothing happens.
 */
export function collectGarbage(): void {
  scope.gc?.({ type: "major", flavor: "last-resort" });
}

/** Frees what was made and left a moment ago, the buffers behind it too. It takes a millisecond. */
export function collectYoung(): void {
  scope.gc?.({ type: "minor" });
}
