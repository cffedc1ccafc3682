import { foldText } from "../../../../shared/fold.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { Collection } from "../../../core/kv/collection.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { User } from "../../accounts/users/user.ts";
import type { Users } from "../../accounts/users/users.ts";

/** The fewest characters that names are looked up by. */
const minCharacters = 2;

/** Most names in one answer. */
const maxNames = 8;

/** Most lookups of one user in a window, and its length in milliseconds. */
const maxLookups = 60;
const windowMs = 60_000;

/** The record of a user's lookups. */
interface Lookups {
  /** When the window began, in milliseconds since 1970. */
  since: number;
  count: number;
}

/** How often a user has looked up names lately, about 50 bytes. */
const nameLookups = new Collection<Lookups, [userId: number]>("name_lookups", { expires: isOver });

/**
 * Finds the names of users and groups by their first characters, for those who share. Lookups are
 * counted in the store, for all threads and processes together, so that the whole list of users
 * cannot be read out (CWE-204).
 */
export class NameLookups {
  readonly #store: Store;
  readonly #users: Users;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, users: Users, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#users = users;
    this.#now = now;
  }

  /**
   * The names that begin with a text, in any case: up to eight, by name, without one's own. Groups
   * have an `@` before their names; of them a user finds the own ones, an administrator all.
   *
   * @param text too short a one finds nothing
   * @param known reads the names that are looked through, in place of those of all users
   * @throws DomainError `throttled`
   */
  async find(
    asker: Pick<User, "id" | "groups" | "perm">,
    text: string,
    known?: () => Promise<Iterable<string>>,
  ): Promise<string[]> {
    const typed = foldText(text.trim().normalize("NFC"));
    const isGroup = typed.startsWith("@");
    const start = typed.replace(/^@/, "");
    if ([...start].length < minCharacters) return [];
    await this.#count(asker.id);
    const people = known ? await known() : await this.#namesBut(asker.id);
    const groups = asker.perm.admin
      ? await this.#users.groups.list()
      : await this.#users.groups.of(asker.groups);
    return [...new Set([...people, ...groups.map(({ name }) => `@${name}`)])]
      .filter((shown) => !isGroup || shown.startsWith("@"))
      .map((shown) => ({ folded: foldText(shown.replace(/^@/, "")), shown }))
      .filter(({ folded }) => folded.startsWith(start))
      .sort((a, b) => a.folded < b.folded ? -1 : 1)
      .slice(0, maxNames)
      .map(({ shown }) => shown);
  }

  /** Removes the records of windows that are over. */
  async removeExpired(): Promise<void> {
    await nameLookups.removeExpired(this.#store, this.#now());
  }

  async #namesBut(userId: number): Promise<string[]> {
    const all = await this.#users.names();
    return all.filter(({ id }) => id !== userId).map(({ name }) => name);
  }

  async #count(userId: number): Promise<void> {
    await nameLookups.update(this.#store, [userId], (last) => {
      const now = this.#now();
      const before = last && !isOver(last, now) ? last : null;
      if (before && before.count >= maxLookups) throw tooManyError(before.since + windowMs - now);
      return { since: before?.since ?? now, count: (before?.count ?? 0) + 1 };
    });
  }
}

/** Also one from the future, which began before the clock was set back. */
function isOver({ since }: Lookups, now: number): boolean {
  return now - since >= windowMs || since > now;
}

function tooManyError(waitMs: number): DomainError {
  const message = "Cannot look up names: too many lookups; type the whole name or wait a minute";
  return new DomainError("throttled", message, Math.ceil(waitMs / 1000));
}
