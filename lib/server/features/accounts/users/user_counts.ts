import { DomainError } from "../../../../shared/errors.ts";
import { userCountsKey } from "../../../core/kv/keys/users.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { AtomicStep } from "./reserve_keys.ts";

/**
 * The number of users. Every change of it is an atomic commit with a check, which is what makes
 * "the last administrator stays" and "an id is given once" true under concurrency.
 */
export interface UserCounts {
  /** The id of the next user; 1 means that there has never been one. */
  nextId: number;
  users: number;
  admins: number;
}

/** The current counts, and the step that replaces them unless they have changed. */
export async function openUserCounts(
  store: Store,
): Promise<{ counts: UserCounts; replace: (next: UserCounts) => AtomicStep }> {
  const entry = await store.get<UserCounts>(userCountsKey());
  if (!entry.value) throw new Error("Cannot count the users: the store has no count of users");
  return {
    counts: entry.value,
    replace: (next) => (operation) => operation.check(entry).set(entry.key, next),
  };
}

/**
 * Removes an administrator from the counts.
 *
 * @param action the failed action, for the message: `remove "anna"`
 * @throws DomainError `last_admin` when it is the last one
 */
export function withoutAdmin(counts: UserCounts, action: string): UserCounts {
  if (counts.admins <= 1) {
    throw new DomainError("last_admin", `Cannot ${action}: it is the last administrator`);
  }
  return { ...counts, admins: counts.admins - 1 };
}
