import { DomainError } from "../../shared/errors.ts";
import {
  type Identity,
  userIdentityKey,
  userKey,
  userNameKey,
  userNamesPrefix,
  usersPrefix,
} from "../kv/keys/users.ts";
import type { Store } from "../kv/store.ts";
import { Groups } from "./groups/groups.ts";
import { addGroups, withGroups } from "./groups/with_groups.ts";
import { storedUser, type User } from "./user.ts";
import { canonicalName } from "./username.ts";

/** An id that is never used: looking it up makes unknown names cost the same time as known ones. */
const nobody = 0;

/** Finds users: by id, by name, by an account elsewhere; with or without what their groups add. */
export class UserReader {
  protected readonly store: Store;
  readonly groups: Groups;

  constructor(store: Store) {
    this.store = store;
    this.groups = new Groups(store);
  }

  /** @throws DomainError `not_found` */
  async get(id: number): Promise<User> {
    return (await this.entry(id)).value;
  }

  /**
   * The user with what the user's groups add: what decides about access, now.
   *
   * @throws DomainError `not_found`
   */
  async acting(id: number): Promise<User> {
    return await withGroups(this.store, await this.get(id));
  }

  /** As {@linkcode acting}, of all users, in the order of the ids. */
  async listActing(): Promise<User[]> {
    const users = await this.list();
    if (users.every(({ groups }) => groups.length === 0)) return users;
    const groups = await this.groups.list();
    return users.map((user) =>
      addGroups(user, groups.filter(({ id }) => user.groups.includes(id)))
    );
  }

  /** The user of that name (trimmed, NFC, case-sensitive), or null. */
  async byName(username: string): Promise<User | null> {
    const name = canonicalName(username);
    if (name === null) return null;
    const index = await this.store.get<number>(userNameKey(name));
    const { value: record } = await this.store.get<User>(userKey(index.value ?? nobody));
    return record && storedUser(record);
  }

  /**
   * As {@linkcode byName}, with what the user's groups add, for every request of a client without a
   * session: the frozen record is kept until anything is written to the store, so that it is never
   * older than the call.
   */
  async seenByName(username: string): Promise<User | null> {
    const name = canonicalName(username);
    if (name === null) return null;
    return await this.store.kept(userNameKey(name), async () => {
      const user = await this.byName(name);
      return user && await withGroups(this.store, user);
    });
  }

  /** The user as whom an account elsewhere signs in, or null. */
  async byIdentity(identity: Identity): Promise<User | null> {
    const index = await this.store.get<number>(userIdentityKey(identity));
    const { value: record } = await this.store.get<User>(userKey(index.value ?? nobody));
    return record && storedUser(record);
  }

  /** All users, in the order of the ids. */
  async list(): Promise<User[]> {
    return (await this.store.list<User>(usersPrefix())).map(({ value }) => storedUser(value));
  }

  /** The names of all users, from the index: no record is read. */
  async names(): Promise<{ id: number; name: string }[]> {
    const entries = await this.store.list<number>(userNamesPrefix());
    return entries.map(({ key, value }) => ({ id: value, name: String(key.at(-1)) }));
  }

  /** A record with its version, for a change. @throws DomainError `not_found` */
  protected async entry(id: number): Promise<Deno.KvEntry<User>> {
    const entry = await this.store.get<User>(userKey(id));
    if (entry.versionstamp !== null) return { ...entry, value: storedUser(entry.value) };
    throw new DomainError("not_found", `Cannot find the user ${id}: there is none of this id`);
  }
}
