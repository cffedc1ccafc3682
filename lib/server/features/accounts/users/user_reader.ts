import { DomainError } from "../../../../shared/errors.ts";
import { inParts } from "../../../core/kv/parts.ts";
import type { Store } from "../../../core/kv/store.ts";
import { Groups } from "./groups/groups.ts";
import { addGroups, withGroups } from "./groups/with_groups.ts";
import type { Identity, User } from "./user.ts";
import {
  identityPart,
  memberParts,
  userIdentities,
  userNames,
  userRecords,
} from "./user_records.ts";
import { canonicalName } from "./username.ts";

/** Names of one part: they are keys alone. */
const batchSize = 500;

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

  /**
   * As {@linkcode acting}, for every request of a client without a session; null where there is none.
   * The frozen record is kept until anything is written to the store, so that it is never older than
   * the call.
   */
  async seen(id: number): Promise<User | null> {
    return await this.store.cachedRead(userRecords.key(id), async () => {
      const user = await userRecords.get(this.store, id);
      return user && await withGroups(this.store, user);
    });
  }

  /** As {@linkcode acting}, of all users, in the order of the ids, part by part. */
  async *actingParts(after?: number): AsyncGenerator<User[], void> {
    for await (const users of this.parts(after)) yield await this.#withGroups(users);
  }

  /** The user of that name (trimmed, NFC, case-sensitive), or null. */
  async byName(username: string): Promise<User | null> {
    const name = canonicalName(username);
    if (name === null) return null;
    const index = await this.store.get<number>(userNames.prefix(name));
    return await userRecords.get(this.store, index.value ?? nobody);
  }

  /** As {@linkcode seen}, by the name. */
  async seenByName(username: string): Promise<User | null> {
    const name = canonicalName(username);
    if (name === null) return null;
    const key = userNames.prefix(name);
    const id = await this.store.cachedRead(key, async () => {
      return (await this.store.get<number>(key)).value;
    });
    return await this.seen(id ?? nobody);
  }

  /** The user as whom an account elsewhere signs in, or null. */
  async byIdentity(identity: Identity): Promise<User | null> {
    const index = await this.store.get<number>(userIdentities.prefix(identityPart(identity)));
    return await userRecords.get(this.store, index.value ?? nobody);
  }

  /** All users, in the order of the ids. */
  async list(): Promise<User[]> {
    return await userRecords.list(this.store);
  }

  /** Users in the order of their ids, part by part. @param after the id behind which they begin */
  async *parts(after?: number): AsyncGenerator<User[], void> {
    yield* userRecords.page(this.store, { after });
  }

  /** Those of some users that are there. */
  async some(ids: readonly number[]): Promise<User[]> {
    const found = await userRecords.getAll(
      this.store,
      [...new Set(ids)].map((id) => userRecords.key(id)),
    );
    return found.flatMap(({ value }) => value ?? []);
  }

  /** The members of a group, part by part. @param after the id behind which they begin */
  async *memberParts(group: number, after?: number): AsyncGenerator<User[], void> {
    for await (const ids of memberParts(this.store, group, after)) yield await this.some(ids);
  }

  /** The same with what their groups add. */
  async *actingMembers(group: number): AsyncGenerator<User[], void> {
    for await (const users of this.memberParts(group)) yield await this.#withGroups(users);
  }

  /** The names of users in their order, part by part. @param after the name behind which they begin */
  async *namesInParts(after?: string): AsyncGenerator<{ id: number; name: string }[], void> {
    const options = { after, size: batchSize };
    for await (const part of inParts<number>(this.store, userNames.prefix(), options)) {
      yield part.map(({ key, value }) => ({ id: value, name: String(key.at(-1)) }));
    }
  }

  /** The names of all users, from the index: no record is read. */
  async names(): Promise<{ id: number; name: string }[]> {
    const entries = await this.store.list<number>(userNames.prefix());
    return entries.map(({ key, value }) => ({ id: value, name: String(key.at(-1)) }));
  }

  async #withGroups(users: readonly User[]): Promise<User[]> {
    const groups = await this.groups.of([...new Set(users.flatMap((user) => user.groups))]);
    return users.map((user) =>
      addGroups(user, groups.filter(({ id }) => user.groups.includes(id)))
    );
  }

  /** A record with its version, for a change. @throws DomainError `not_found` */
  protected async entry(id: number): Promise<Deno.KvEntry<User>> {
    const entry = await userRecords.entry(this.store, id);
    if (entry.versionstamp !== null) return entry;
    throw new DomainError("not_found", `Cannot find the user ${id}: no such id`);
  }
}

/** Those of some ids that no user has: of users who were deleted, as ids are never used again. */
export async function missingUsers(
  store: Pick<Store, "getMany">,
  ids: ReadonlySet<number>,
): Promise<Set<number>> {
  const found = await userRecords.getAll(store, [...ids].map((id) => userRecords.key(id)));
  return new Set([...ids].filter((_, at) => found[at]?.value == null));
}
