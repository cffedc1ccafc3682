import { delay } from "./delay.ts";
import type { Store } from "./store.ts";

/** What one try of `commitChange` decided: the mutations with their checks, and what to answer. */
export interface Change<T> {
  /** Null when there is nothing to write. */
  build: ((operation: Deno.AtomicOperation) => Deno.AtomicOperation) | null;
  result: T;
}

/** How often a change may lose against others before that counts as a fault. */
const mostTries = 200;

/**
 * Reads, decides and writes until nobody else wrote in between: `decide` reads what it needs and
 * answers with mutations that check it. It may throw to refuse, and it runs again after a lost
 * race, so it has no effects of its own.
 *
 * @throws Error when others won two hundred times in a row
 */
export async function commitChange<T>(
  store: Store,
  decide: () => Promise<Change<T>>,
): Promise<T> {
  for (let lost = 0; lost < mostTries; lost++) {
    const { build, result } = await decide();
    if (build === null || (await store.atomic(build)).ok) return result;
    await delay(Math.random() * Math.min(2 + lost, 20));
  }
  throw new Error("Cannot write to the store: the record is being changed all the time");
}
