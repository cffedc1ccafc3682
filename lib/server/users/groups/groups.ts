import { DomainError } from "../../../shared/errors.ts";
import { commitChange } from "../../kv/commit.ts";
import { groupKey, groupNameKey, groupsPrefix, nextGroupKey } from "../../kv/keys/groups.ts";
import { userKey, usersPrefix } from "../../kv/keys/users.ts";
import { checkRecordSize } from "../../kv/size.ts";
import type { Store } from "../../kv/store.ts";
import { storedUser, type User } from "../user.ts";
import {
  type Group,
  type GroupFields,
  groupFieldsOf,
  normalizeGroup,
  storedGroup,
} from "./group.ts";

/** Records of one read of the store. */
const batch = 10;

/** The groups: their records and the index of names. Who is in them stands in the users' records. */
export class Groups {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** All groups, in the order of the ids. */
  async list(): Promise<Group[]> {
    return (await this.#store.list<Group>(groupsPrefix())).map(({ value }) => storedGroup(value));
  }

  /** @throws DomainError `not_found` */
  async get(id: number): Promise<Group> {
    return (await this.#entry(id)).value;
  }

  /** The ids that exist, in their order. */
  async of(ids: readonly number[]): Promise<Group[]> {
    const sorted = ids.toSorted((a, b) => a - b);
    const found: Group[] = [];
    for (let start = 0; start < sorted.length; start += batch) {
      const keys = sorted.slice(start, start + batch).map(groupKey);
      const entries = await this.#store.getMany<(Group | null)[]>(keys);
      found.push(...entries.flatMap(({ value }) => value ? [storedGroup(value)] : []));
    }
    return found;
  }

  /**
   * Makes a group under the next id.
   *
   * @throws DomainError `exists` when the name is taken; `invalid_name`; `invalid_body` when the
   * record is too long
   */
  async create(draft: GroupFields): Promise<Group> {
    const fields = normalizeGroup(draft);
    return await commitChange(this.#store, async () => {
      const next = await this.#store.get<number>(nextGroupKey());
      const name = await this.#freeName(fields.name);
      const id = next.value ?? 1;
      const group: Group = { ...fields, id, changed: Date.now() };
      checkRecordSize(`make the group "${group.name}"`, group);
      return {
        result: group,
        build: (operation) =>
          operation.check(next, name).set(next.key, id + 1).set(name.key, id)
            .set(groupKey(id), group),
      };
    });
  }

  /**
   * Changes some fields, for all members at once.
   *
   * @throws DomainError `not_found`; `exists` when the name is taken; `invalid_name`; `invalid_body`
   * when the record is too long
   */
  async update(id: number, change: Partial<GroupFields>): Promise<Group> {
    return await commitChange(this.#store, async () => {
      const entry = await this.#entry(id);
      const former = entry.value;
      const fields = normalizeGroup({ ...groupFieldsOf(former), ...change }, former.name);
      const changed = Math.max(Date.now(), former.changed + 1);
      const group: Group = { ...fields, id, changed };
      checkRecordSize(`change the group "${former.name}"`, group);
      const name = fields.name === former.name ? null : await this.#freeName(fields.name);
      return {
        result: group,
        build: (operation) => {
          operation.check(entry).set(entry.key, group);
          if (!name) return operation;
          return operation.check(name).set(name.key, id).delete(groupNameKey(former.name));
        },
      };
    });
  }

  /**
   * Removes a group, by which its members lose what it gave them, and takes it from their records.
   *
   * @throws DomainError `not_found`
   */
  async remove(id: number): Promise<void> {
    await commitChange(this.#store, async () => {
      const entry = await this.#entry(id);
      return {
        result: undefined,
        build: (operation) =>
          operation.check(entry).delete(entry.key).delete(groupNameKey(entry.value.name)),
      };
    });
    for (const user of await this.#users()) {
      if (!user.groups.includes(id)) continue;
      await this.#changeGroups(user.id, (groups) => groups.filter((each) => each !== id));
    }
  }

  /**
   * Makes these users the members of a group, and no others.
   *
   * @throws DomainError `not_found` for a user who is not there, before anything is changed
   */
  async setMembers({ id }: Pick<Group, "id">, userIds: readonly number[]): Promise<void> {
    await this.checkMembers(userIds);
    const wanted = new Set(userIds);
    for (const user of await this.#users()) {
      if (wanted.has(user.id) === user.groups.includes(id)) continue;
      await this.#changeGroups(user.id, (groups) => {
        const others = groups.filter((each) => each !== id);
        return wanted.has(user.id) ? [...others, id] : others;
      });
    }
  }

  /** @throws DomainError `not_found` for a user who is not there */
  async checkMembers(userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    const known = new Set((await this.#users()).map(({ id }) => id));
    const unknown = userIds.find((id) => !known.has(id));
    if (unknown === undefined) return;
    throw new DomainError("not_found", `Cannot put the user ${unknown} in a group: there is none`);
  }

  /** @throws DomainError `invalid_body` for a group that is not there */
  async checkAll(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const known = await this.of(ids);
    const unknown = ids.find((id) => !known.some((group) => group.id === id));
    if (unknown === undefined) return;
    throw new DomainError("invalid_body", `Cannot read groups: there is no group ${unknown}`);
  }

  async #users(): Promise<User[]> {
    return (await this.#store.list<User>(usersPrefix())).map(({ value }) => storedUser(value));
  }

  /** Sessions go on: they have the user's rights of each moment. */
  async #changeGroups(userId: number, change: (groups: number[]) => number[]): Promise<void> {
    await commitChange(this.#store, async () => {
      const entry = await this.#store.get<User>(userKey(userId));
      // The user was removed meanwhile.
      if (entry.value === null) return { result: undefined, build: null };
      const former = storedUser(entry.value);
      const groups = change(former.groups).sort((a, b) => a - b);
      const user: User = { ...former, groups, version: former.version + 1 };
      checkRecordSize(`change the groups of "${user.username}"`, user);
      const build = (operation: Deno.AtomicOperation) =>
        operation.check(entry).set(entry.key, user);
      return { result: undefined, build };
    });
  }

  async #entry(id: number): Promise<Deno.KvEntry<Group>> {
    const entry = await this.#store.get<Group>(groupKey(id));
    if (entry.versionstamp !== null) return { ...entry, value: storedGroup(entry.value) };
    throw new DomainError("not_found", `Cannot find the group ${id}: there is none of this id`);
  }

  async #freeName(name: string): Promise<Deno.KvEntryMaybe<number>> {
    const entry = await this.#store.get<number>(groupNameKey(name));
    if (entry.value === null) return entry;
    throw new DomainError("exists", `Cannot name a group "${name}": the name is taken`);
  }
}
