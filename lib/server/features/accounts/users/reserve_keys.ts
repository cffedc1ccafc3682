import { DomainError } from "../../../../shared/errors.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { User } from "./user.ts";

/** Adds checks and mutations to an atomic operation. */
export type AtomicStep = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

/** The step that changes nothing. */
export const noChange: AtomicStep = (operation) => operation;

/**
 * Claims index keys, a name and a home, for a user: the step checks that each is still free.
 *
 * @throws DomainError `exists` when one is taken
 */
export async function reserveKeys(
  store: Store,
  keys: Deno.KvKey[],
  user: Pick<User, "id" | "username">,
): Promise<AtomicStep> {
  const entries = await store.getMany<number[]>(keys);
  if (entries.some((entry) => entry.value !== null)) {
    throw new DomainError("exists", `Cannot name a user "${user.username}": the name is taken`);
  }
  return (operation) => {
    for (const entry of entries) operation.check(entry).set(entry.key, user.id);
    return operation;
  };
}
