import { DomainError } from "../../../../../shared/errors.ts";
import { Collection, Index } from "../../../../core/kv/collection.ts";
import { commitChange } from "../../../../core/kv/commit.ts";
import { checkRecordSize } from "../../../../core/kv/size.ts";
import type { Store } from "../../../../core/kv/store.ts";
import { countMembers, membersOf, userRecords } from "../user_records.ts";
import { type Group, groupFieldsOf, normalizeGroup, storedGroup } from "./group.ts";
import type { GroupFields } from "../../../../../shared/schemas/group.ts";

/** The index of the names of groups: contains the id only. */
export const groupNames = new Index<Pick<Group, "id" | "name">, [id: number]>(
  "group_names",
  ({ name }) => [[name]],
  ({ id }) => id,
);

/** A group by its id, which is never used again; at most 30,000 characters. */
export const groupRecords = new Collection<Group, [id: number]>("groups", {
  indexes: [groupNames],
  read: storedGroup,
});

/** The id of the next group. */
export const nextGroup = new Collection<number, []>("group_next");

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
    return await groupRecords.list(this.#store);
  }

  /** @throws DomainError `not_found` */
  async get(id: number): Promise<Group> {
    return found(await groupRecords.get(this.#store, id), id);
  }

  /** The ids that exist, in their order. */
  async of(ids: readonly number[]): Promise<Group[]> {
    const keys = ids.toSorted((a, b) => a - b).map((id) => groupRecords.key(id));
    return (await groupRecords.getAll(this.#store, keys)).flatMap(({ value }) => value ?? []);
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
      const next = await nextGroup.entry(this.#store);
      const name = await this.#freeName(fields.name);
      const id = next.value ?? 1;
      const group: Group = { ...fields, id, changed: Date.now() };
      checkRecordSize(`make the group "${group.name}"`, group);
      return {
        result: group,
        build: (operation) =>
          groupRecords.put(nextGroup.write(operation.check(name), next, id + 1), [id], group),
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
    let name: Deno.KvEntryMaybe<number> | null = null;
    return await groupRecords.update(this.#store, [id], async (now) => {
      const former = found(now, id);
      const fields = normalizeGroup({ ...groupFieldsOf(former), ...change }, former.name);
      const changed = Math.max(Date.now(), former.changed + 1);
      const group: Group = { ...fields, id, changed };
      checkRecordSize(`change the group "${former.name}"`, group);
      name = fields.name === former.name ? null : await this.#freeName(fields.name);
      return group;
    }, (operation) => name && operation.check(name));
  }

  /**
   * Removes a group, by which its members lose what it gave them, and takes it from their records.
   *
   * @throws DomainError `not_found`
   */
  async remove(id: number): Promise<void> {
    await groupRecords.update(this.#store, [id], (group) => found(group, id) && null);
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
    yield* groupRecords.page(this.#store, { after });
  }

  /** @throws DomainError `not_found` for a user who is not there */
  async checkMembers(userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    const keys = [...new Set(userIds)].map((id) => userRecords.key(id));
    const found = await userRecords.getAll(this.#store, keys);
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
    await userRecords.update(this.#store, [userId], (former) => {
      // The user was removed meanwhile.
      if (former === null) return undefined;
      const groups = change(former.groups).sort((a, b) => a - b);
      const user = { ...former, groups, version: former.version + 1 };
      checkRecordSize(`change the groups of "${user.username}"`, user);
      return user;
    });
  }

  async #freeName(name: string): Promise<Deno.KvEntryMaybe<number>> {
    const entry = await this.#store.get<number>(groupNames.prefix(name));
    if (entry.value === null) return entry;
    throw new DomainError("exists", `Cannot name a group "${name}": the name is taken`);
  }
}

/** @throws DomainError `not_found` */
function found(group: Group | null, id: number): Group {
  if (group) return group;
  throw new DomainError("not_found", `Cannot find the group ${id}: no such id`);
}
