import { DomainError } from "../../../../shared/errors.ts";
import { Collection } from "../../../core/kv/collection.ts";
import type { AtomicStep } from "../../../core/kv/commit.ts";
import type { Store } from "../../../core/kv/store.ts";

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

/** One small record with the counts of users and administrators and the next id. */
export const userCounts = new Collection<UserCounts, []>("user_roster");

/** How many users the store has. */
export async function countUsers(store: Store): Promise<number> {
  return (await userCounts.get(store))?.users ?? 0;
}

/** The current counts, and the step that replaces them unless they have changed. */
export async function openUserCounts(
  store: Store,
): Promise<{ counts: UserCounts; replace: (next: UserCounts) => AtomicStep }> {
  const entry = await userCounts.entry(store);
  if (!entry.value) throw new Error("Cannot count the users: the store has no count of users");
  return {
    counts: entry.value,
    replace: (next) => (operation) => userCounts.write(operation, entry, next),
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
