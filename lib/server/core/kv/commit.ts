import { delay } from "../../../shared/delay.ts";
import type { Store } from "./store.ts";

/** Result of one attempt of `commitChange`: mutations with their checks, and the return value. */
export interface Change<T> {
  /** Null when there is nothing to write. */
  build: AtomicStep | null;
  result: T;
}

/** Adds checks and mutations to an atomic operation. */
export type AtomicStep = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

/** The step that changes nothing. */
export const noChange: AtomicStep = (operation) => operation;

/** Most lost races of a change before it fails. */
const maxAttempts = 200;

/**
 * Reads, decides and writes with optimistic concurrency: `decide` reads records and returns
 * mutations that check their versions. It may throw to refuse, and it is retried after a lost race,
 * so it must have no side effects.
 *
 * @throws Error after two hundred lost races in a row
 */
export async function commitChange<T>(
  store: Store,
  decide: () => Promise<Change<T>>,
): Promise<T> {
  for (let lost = 0; lost < maxAttempts; lost++) {
    const { build, result } = await decide();
    if (build === null || (await store.atomic(build)).ok) return result;
    await delay(Math.random() * Math.min(2 + lost, 20));
  }
  throw new Error("Cannot write to the store: the record keeps changing");
}
