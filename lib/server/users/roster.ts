import { DomainError } from "../../shared/errors.ts";
import { rosterKey } from "../kv/keys/users.ts";
import type { Store } from "../kv/store.ts";
import type { Step } from "./claims.ts";

/**
 * How many users there are. Every change of it checks that nobody else changed it, which is what
 * makes "the last administrator stays" and "an id is given once" true under concurrency.
 */
export interface Roster {
  /** The id of the next user; 1 means that there has never been one. */
  nextId: number;
  users: number;
  admins: number;
}

/** The roster as it is, and the step that puts another in its place unless it has changed. */
export async function openRoster(
  store: Store,
): Promise<{ roster: Roster; replace: (next: Roster) => Step }> {
  const entry = await store.get<Roster>(rosterKey());
  if (!entry.value) throw new Error("Cannot count the users: the store has no roster");
  return {
    roster: entry.value,
    replace: (next) => (operation) => operation.check(entry).set(entry.key, next),
  };
}

/**
 * Takes an administrator off the roster.
 *
 * @param action what fails, for the message: `remove "anna"`
 * @throws DomainError `last_admin` when it is the last one
 */
export function withoutAdmin(roster: Roster, action: string): Roster {
  if (roster.admins <= 1) {
    throw new DomainError("last_admin", `Cannot ${action}: it is the last administrator`);
  }
  return { ...roster, admins: roster.admins - 1 };
}
