import type { Gate } from "../../core/access/gate.ts";
import type { Store } from "../../core/kv/store.ts";

/** The subject of an examination: a store, and the disk that its records are about. */
export interface CheckContext {
  store: Store;
  gate: Gate;
  /** Start of the examination, in milliseconds since 1970: what is newer may be under way. */
  startedAt: number;
}

/**
 * The repair of a finding. A function mends it; it does nothing and returns false when the
 * record or the entry has changed since it was found. `by hand` is left to a person. `not checked`
 * is no fault: it cannot be told now.
 */
export type Repair = (() => Promise<boolean>) | "by hand" | "not checked";

/** Something that is wrong, or cannot be checked. */
export interface Finding {
  /** One line: `share of "/a.txt" by "anna": there is no such entry`. */
  what: string;
  repair: Repair;
}

/** The findings of one kind of check, as they are made. */
export type Findings = AsyncGenerator<Finding, void>;

/** A repair that is one atomic operation with checks. */
export function commit(
  store: Store,
  build: (operation: Deno.AtomicOperation) => Deno.AtomicOperation,
): () => Promise<boolean> {
  return async () => (await store.atomic(build)).ok;
}
