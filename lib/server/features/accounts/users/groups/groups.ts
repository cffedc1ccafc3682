import { DomainError } from "../../../../../shared/errors.ts";
import { commitChange } from "../../../../core/kv/commit.ts";
import {
  groupKey,
  groupNameKey,
  groupsPrefix,
  nextGroupKey,
} from "../../../../core/kv/keys/groups.ts";
import { userKey } from "../../../../core/kv/keys/users.ts";
import { getAll, inParts } from "../../../../core/kv/parts.ts";
import { checkRecordSize } from "../../../../core/kv/size.ts";
import type { Store } from "../../../../core/kv/store.ts";
import { storedUser, type User } from "../user.ts";
import { countMembers, membersOf, moveMember } from "./members.ts";
import {
  type Group,
  type GroupFields,
  groupFieldsOf,
  normalizeGroup,
  storedGroup,
} from "./group.ts";

/** Users who are to become members of a group, and who are to be members no more. */
export interface MemberChange {
  join?: readonly number[];
  leave?: readonly number[];
}

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
    const keys = ids.toSorted((a, b) => a - b).map(groupKey);
    const found = await getAll<Group>(this.#store, keys);
    return found.flatMap(({ value }) => value ? storedGroup(value) : []);
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
    for (const userId of await this.members(id)) {
      await this.#changeGroups(userId, (groups) => groups.filter((each) => each !== id));
    }
  }

  /**
   * Makes these users the members of a group, and no others.
   *
   * @throws DomainError `not_found` for a user who is not there, before anything is changed
   */
  async setMembers({ id }: Pick<Group, "id">, userIds: readonly number[]): Promise<void> {
    const wanted = new Set(userIds);
    const present = new Set(await this.members(id));
    await this.changeMembers({ id }, {
      join: [...wanted.difference(present)],
      leave: [...present.difference(wanted)],
    });
  }

  /**
   * Makes users members of a group, and others members no more.
   *
   * @throws DomainError `not_found` for a new member who is not there, before anything is changed
   */
  async changeMembers(
    { id }: Pick<Group, "id">,
    { join = [], leave = [] }: MemberChange,
  ): Promise<void> {
    await this.checkMembers(join);
    const joining = new Set(join);
    for (const userId of new Set([...leave, ...join])) {
      await this.#changeGroups(userId, (groups) => {
        const others = groups.filter((each) => each !== id);
        return joining.has(userId) ? [...others, id] : others;
      });
    }
  }

  /** The ids of the members of a group, in their order. */
  async members(id: number): Promise<number[]> {
    return await membersOf(this.#store, id);
  }

  /** How many members a group has. */
  async countMembers(id: number): Promise<number> {
    return await countMembers(this.#store, id);
  }

  /** Groups in the order of their ids, part by part. @param after the id behind which they begin */
  async *parts(after?: number): AsyncGenerator<Group[], void> {
    for await (const part of inParts<Group>(this.#store, groupsPrefix(), { after })) {
      yield part.map(({ value }) => storedGroup(value));
    }
  }

  /** @throws DomainError `not_found` for a user who is not there */
  async checkMembers(userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    const found = await getAll<User>(this.#store, [...new Set(userIds)].map(userKey));
    const known = new Set(found.map(({ value }) => value?.id));
    const unknown = userIds.find((id) => !known.has(id));
    if (unknown === undefined) return;
    throw new DomainError("not_found", `Cannot add the user ${unknown} to a group: no such user`);
  }

  /** @throws DomainError `invalid_body` for a group that is not there */
  async checkAll(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const known = await this.of(ids);
    const unknown = ids.find((id) => !known.some((group) => group.id === id));
    if (unknown === undefined) return;
    throw new DomainError("invalid_body", `Cannot read groups: there is no group ${unknown}`);
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
      const move = moveMember(userId, former.groups, groups);
      const build = (operation: Deno.AtomicOperation) =>
        move(operation.check(entry)).set(entry.key, user);
      return { result: undefined, build };
    });
  }

  async #entry(id: number): Promise<Deno.KvEntry<Group>> {
    const entry = await this.#store.get<Group>(groupKey(id));
    if (entry.versionstamp !== null) return { ...entry, value: storedGroup(entry.value) };
    throw new DomainError("not_found", `Cannot find the group ${id}: no such id`);
  }

  async #freeName(name: string): Promise<Deno.KvEntryMaybe<number>> {
    const entry = await this.#store.get<number>(groupNameKey(name));
    if (entry.value === null) return entry;
    throw new DomainError("exists", `Cannot name a group "${name}": the name is taken`);
  }
}
