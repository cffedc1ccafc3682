import { type EntryPath, isInside, joinPaths, relativePath } from "../../../shared/path.ts";
import { commitChange } from "./commit.ts";
import { getAll, inParts, type PartOptions } from "./parts.ts";
import { digestsOf } from "./path_digests.ts";
import type { Store } from "./store.ts";

/** The operation that a record is written or removed with. */
type Operation = Deno.AtomicOperation;

/** The parts of a key. */
type Parts = readonly Deno.KvKeyPart[];

/** The first parts of ids, as far as they are given. */
type Beginning = readonly (Deno.KvKeyPart | undefined)[];

/** An index of a collection: keys that lead to the records of the collection. */
export class Index<T, Id extends Parts = readonly [id: string]> {
  /**
   * @param name the first part of its keys
   * @param partsOf the other parts of the keys of a record, mostly with the id as the last one
   * @param valueOf the value at these keys
   */
  constructor(
    readonly name: string,
    readonly partsOf: (record: T, ...id: Id) => readonly Parts[],
    readonly valueOf: (record: T, ...id: Id) => unknown = () => null,
  ) {}

  /** Prefix of the keys that begin with some parts; without parts, of all keys. */
  prefix(...parts: Parts): Deno.KvKey {
    return [this.name, ...parts];
  }

  /** The keys of a record. */
  keys(record: T, ...id: Id): Deno.KvKey[] {
    return this.partsOf(record, ...id).map((parts) => [this.name, ...parts]);
  }
}

/**
 * An index by path: empty values. Paths may be longer than keys, so a key has a digest of each
 * segment; readers compare the path itself.
 */
export class PlaceIndex<T, Id extends Parts = readonly [id: string]> extends Index<T, Id> {
  /** @param placesOf where the entries are that a record is about, below the server root */
  constructor(name: string, readonly placesOf: (record: T) => readonly EntryPath[]) {
    super(name, (record, ...id) => placesOf(record).map((place) => [...digestsOf(place), ...id]));
  }

  /** Selects the keys of records at a place, without those below it. */
  at(place: EntryPath): Deno.KvListSelector {
    const prefix = this.below(place);
    // Ids are behind the digests of what is below the place.
    return { prefix, start: [...prefix, ""] };
  }

  /** Prefix of the keys of records at a place or below it. */
  below(place: EntryPath): Deno.KvKey {
    return this.prefix(...digestsOf(place));
  }
}

/** How the records of a collection follow their entries when these are moved or removed. */
export interface Following<T, Id extends Parts> {
  /** Where their entries are, below the server root; of the {@linkcode PlaceIndex} if there is one. */
  placesOf?(record: T): readonly EntryPath[];
  /** A record after a move, as it was where nothing changes; null ends it. */
  moved(record: T, from: EntryPath, to: EntryPath): T | null;
  /** A record after a removal, likewise; without it the record ends. */
  removed?(record: T, path: EntryPath): T | null;
  /** The id of a moved record, if that depends on its place: it replaces the records there. */
  idOf?(record: T): Id;
  /** Records that one commit changes; 1 unless they are small. */
  batch?: number;
}

/** What a collection declares besides its name. */
export interface Declaration<T, Id extends Parts> {
  /** The keys that are written and removed with each record. */
  indexes?: readonly Index<T, Id>[];
  /** First parts of the keys of other records with the same ids, which end with them. */
  owned?: readonly string[];
  /** A record as it is used, from what this or a former version stored. */
  read?(stored: T): T;
  /** Whether a record is over at a time, in milliseconds since 1970. */
  expires?(record: T, now: number): boolean;
  follows?: Following<T, Id>;
  /** Most records, of one owner if they have owners. */
  max?: number;
}

/** Entries with keys that records were looked up by. */
type Entries = readonly Pick<Deno.KvEntry<unknown>, "key">[];

/** Keys of records that are changed together with those of the indexes by path. */
const maxBelow = 50;

/** Records of one kind by their ids, with the indexes that are written and removed with them. */
export class Collection<T, Id extends Parts = readonly [id: string]> {
  readonly indexes: readonly Index<T, Id>[];
  readonly #placeIndex: PlaceIndex<T, Id> | undefined;

  /** @param name the first part of its keys */
  constructor(readonly name: string, readonly declared: Declaration<T, Id> = {}) {
    this.indexes = declared.indexes ?? [];
    this.#placeIndex = this.indexes.find((index) => index instanceof PlaceIndex);
  }

  /** Most records, of one owner if they have owners. */
  get max(): number {
    return this.declared.max ?? Infinity;
  }

  /** The key of a record. */
  key(...id: Id): Deno.KvKey {
    return [this.name, ...id];
  }

  /** Prefix of the records whose ids begin with some parts; without parts, of all records. */
  prefix(...parts: Beginning): Deno.KvKey {
    return [this.name, ...parts.filter((part) => part !== undefined)];
  }

  /** The keys of a record in the indexes. */
  indexKeys(record: T, ...id: Id): Deno.KvKey[] {
    return this.indexes.flatMap((index) => index.keys(record, ...id));
  }

  /** A record with its version. */
  async entry(store: Pick<Store, "get">, ...id: Id): Promise<Deno.KvEntryMaybe<T>> {
    return this.#read(await store.get<T>(this.key(...id)));
  }

  /** A record; null for none. */
  async get(store: Pick<Store, "get">, ...id: Id): Promise<T | null> {
    return (await this.entry(store, ...id)).value;
  }

  /** As {@linkcode get}, kept and frozen until anything is written to the store. */
  async cached(store: Pick<Store, "get" | "cachedRead">, ...id: Id): Promise<T | null> {
    return await store.cachedRead(this.key(...id), () => this.get(store, ...id));
  }

  /** Records of any number, in the order of the keys. */
  async getAll(
    store: Pick<Store, "getMany">,
    keys: readonly Deno.KvKey[],
  ): Promise<Deno.KvEntryMaybe<T>[]> {
    return (await getAll<T>(store, keys)).map((entry) => this.#read(entry));
  }

  /** The records whose ids begin with some parts; without parts, all. */
  async list(store: Pick<Store, "list">, ...parts: Beginning): Promise<T[]> {
    return (await this.entries(store, ...parts)).map(({ value }) => value);
  }

  /** As {@linkcode list}, with their keys and versions. */
  async entries(store: Pick<Store, "list">, ...parts: Beginning): Promise<Deno.KvEntry<T>[]> {
    return (await store.list<T>(this.prefix(...parts))).map((entry) => this.#read(entry));
  }

  /** All records, kept and frozen until anything is written to the store. */
  async cachedList(store: Pick<Store, "list" | "cachedRead">): Promise<T[]> {
    return (await this.cachedEntries(store)).map(({ value }) => value);
  }

  /** As {@linkcode cachedList}, with their keys and versions. */
  cachedEntries(store: Pick<Store, "list" | "cachedRead">): Promise<Deno.KvEntry<T>[]> {
    return store.cachedRead(this.prefix(), () => this.entries(store));
  }

  /** As {@linkcode list}, part by part. */
  async *page(
    store: Pick<Store, "read">,
    options: PartOptions = {},
    ...parts: Beginning
  ): AsyncGenerator<T[], void> {
    for await (const part of inParts<T>(store, this.prefix(...parts), options)) {
      yield part.map((entry) => this.#read(entry).value);
    }
  }

  /** The records whose ids end the keys of an index. */
  async named(store: Pick<Store, "getMany">, entries: Entries): Promise<T[]> {
    return (await this.namedEntries(store, entries)).flatMap(({ value }) => value ?? []);
  }

  /** As {@linkcode named}, with their versions, and those that are not there. */
  async namedEntries(
    store: Pick<Store, "getMany">,
    entries: Entries,
  ): Promise<Deno.KvEntryMaybe<T>[]> {
    return await this.getAll(store, entries.map(({ key }) => this.prefix(...key.slice(-1))));
  }

  /** Stores a record with its index entries. */
  put(operation: Operation, id: Id, record: T): Operation {
    operation.set(this.key(...id), record);
    for (const index of this.indexes) {
      const value = index.valueOf(record, ...id);
      for (const key of index.keys(record, ...id)) operation.set(key, value);
    }
    return operation;
  }

  /** Replaces a record as it was read, with its index entries. */
  replace(operation: Operation, former: Deno.KvEntry<T>, next: T): Operation {
    const id = this.idOf(former);
    operation.check(former).set(former.key, next);
    for (const index of this.indexes) {
      const keys = (record: T) =>
        new Map(index.keys(record, ...id).map((key) => [textOf(key), key]));
      const [old, now] = [keys(former.value), keys(next)];
      const value = index.valueOf(next, ...id);
      const isSame = value === index.valueOf(former.value, ...id);
      for (const [text, key] of old) if (!now.has(text)) operation.delete(key);
      for (const [text, key] of now) if (!isSame || !old.has(text)) operation.set(key, value);
    }
    return operation;
  }

  /** Removes a record as it was read, with its index entries and the records that end with it. */
  drop(operation: Operation, former: Deno.KvEntry<T>): Operation {
    const id = this.idOf(former);
    for (const name of this.declared.owned ?? []) operation.delete([name, ...id]);
    for (const key of this.indexKeys(former.value, ...id)) operation.delete(key);
    return operation.check(former).delete(former.key);
  }

  /** Stores a record, whatever was there. */
  async set(store: Pick<Store, "atomic">, id: Id, record: T): Promise<void> {
    await store.atomic((operation) => this.put(operation, id, record));
  }

  /**
   * Changes a record, or makes or removes it, as it is at the moment of the commit.
   *
   * @param change returns the next record; null for none, undefined to leave all as it is. It may be
   * called again, and may throw to refuse
   * @param also adds what is written in the same commit
   * @returns what `change` returned
   */
  async update<R extends T | null | undefined>(
    store: Store,
    id: Id,
    change: (now: T | null) => R | Promise<R>,
    also: (operation: Operation, next: R, former: T | null) => unknown = () => {},
  ): Promise<R> {
    return await commitChange(store, async () => {
      const former = await this.entry(store, ...id);
      const next = await change(former.value);
      if (next === undefined) return { result: next, build: null };
      return {
        result: next,
        build: (operation) => {
          this.write(operation, former, next);
          also(operation, next, former.value);
          return operation;
        },
      };
    });
  }

  /** Makes, replaces or removes a record as it was read. @param next null for none */
  write(operation: Operation, former: Deno.KvEntryMaybe<T>, next: T | null): Operation {
    if (former.versionstamp === null) {
      operation.check(former);
      return next === null ? operation : this.put(operation, this.idOf(former), next);
    }
    return next === null ? this.drop(operation, former) : this.replace(operation, former, next);
  }

  /** Removes a record, whatever it is. */
  async remove(store: Store, ...id: Id): Promise<void> {
    if (this.indexes.length > 0 || this.declared.owned) {
      await this.update(store, id, (now) => now === null ? undefined : null);
      return;
    }
    await store.atomic((operation) => operation.delete(this.key(...id)));
  }

  /**
   * Removes the records that are over, unless they change meanwhile. The store is not given the
   * times at which records expire: Deno KV would end the whole process when it cannot remove one, as
   * on a full disk.
   *
   * @throws DomainError `disk_full`
   */
  async removeExpired(
    store: Store,
    now: number,
    isOver = (record: T) => this.declared.expires?.(record, now) ?? false,
  ): Promise<void> {
    for await (const part of inParts<T>(store, this.prefix())) {
      for (const entry of part.map((entry) => this.#read(entry))) {
        if (isOver(entry.value)) await store.atomic((operation) => this.drop(operation, entry));
      }
    }
  }

  /** The records of entries at a place or below it, part by part, without those that are over. */
  async *below(store: Store, place: EntryPath): AsyncGenerator<Deno.KvEntry<T>[], void> {
    const isMeant = (entry: Deno.KvEntryMaybe<T>): entry is Deno.KvEntry<T> =>
      entry.value !== null && this.#isBelow(entry.value, place) &&
      !this.declared.expires?.(entry.value, Date.now());
    const prefix = this.#placeIndex?.below(place);
    if (!prefix) {
      yield (await this.cachedEntries(store)).filter(isMeant);
      return;
    }
    let start: Deno.KvKey | undefined;
    do {
      const selector: Deno.KvListSelector = start ? { prefix, start } : { prefix };
      const limit = maxBelow + 1;
      const keys = await store.read((kv) =>
        Array.fromAsync(kv.list(selector, { limit, batchSize: limit }))
      );
      // A record may be about several entries.
      const some = new Map(keys.slice(0, maxBelow).map((entry) => [entry.key.at(-1), entry]));
      yield (await this.namedEntries(store, [...some.values()])).filter(isMeant);
      start = keys[maxBelow]?.key;
    } while (start);
  }

  /** Whether any record is about an entry at a place or below it. */
  async hasBelow(store: Store, place: EntryPath): Promise<boolean> {
    for await (const found of this.below(store, place)) if (found.length > 0) return true;
    return false;
  }

  /**
   * Has the records follow entries that were moved or removed.
   *
   * @param to null for a removal
   * @returns the records that ended, as they were
   */
  async follow(store: Store, from: EntryPath, to: EntryPath | null): Promise<Deno.KvEntry<T>[]> {
    const { follows } = this.declared;
    if (!follows) return [];
    const { idOf, batch = 1 } = follows;
    const isReplacing = to !== null && idOf !== undefined;
    const ended = isReplacing ? await this.follow(store, to, null) : [];
    const nextOf = (record: T): T | null => {
      if (to !== null) return follows.moved(record, from, to);
      return follows.removed?.(record, from) ?? null;
    };
    for await (const found of this.below(store, from)) {
      for (let at = 0; at < found.length; at += batch) {
        let read: readonly Deno.KvEntryMaybe<T>[] | null = found.slice(at, at + batch);
        const keys = read.map(({ key }) => key);
        ended.push(
          ...await commitChange(store, async () => {
            const entries = read ?? await this.getAll(store, keys);
            read = null;
            const changes = entries.flatMap((entry) => {
              if (entry.versionstamp === null || !this.#isBelow(entry.value, from)) return [];
              const next = nextOf(entry.value);
              return next === entry.value ? [] : { entry, next };
            });
            return {
              result: changes.flatMap(({ entry, next }) => next === null ? entry : []),
              build: changes.length === 0 ? null : (operation) => {
                for (const { entry, next } of changes) {
                  if (next === null || !idOf) this.write(operation, entry, next);
                  else this.put(this.drop(operation, entry), idOf(next), next);
                }
                return operation;
              },
            };
          }),
        );
      }
    }
    return ended;
  }

  /** The id of a record. */
  idOf({ key }: Pick<Deno.KvEntry<T>, "key">): Id {
    return key.slice(1) as Parts as Id;
  }

  #isBelow(record: T, place: EntryPath): boolean {
    const places = (this.#placeIndex ?? this.declared.follows)?.placesOf?.(record) ?? [];
    return places.some((each) => isInside(each, place));
  }

  #read<E extends Deno.KvEntryMaybe<T>>(entry: E): E {
    const { read } = this.declared;
    return read && entry.value !== null ? { ...entry, value: read(entry.value) } : entry;
  }
}

/** The ids that end the keys of an index or of records. */
export function idsIn(entries: Entries): string[] {
  return entries.map(({ key }) => String(key.at(-1)));
}

/** A record whose entry, or a folder above it, was moved. A record about another entry stays. */
export function movedWith<T extends { path: EntryPath; place: EntryPath }>(
  record: T,
  from: EntryPath,
  to: EntryPath,
): T {
  if (!isInside(record.place, from)) return record;
  const place = joinPaths(to, relativePath(record.place, from));
  // A path through a link leads through it still, or nowhere.
  return { ...record, place, path: record.path === record.place ? place : record.path };
}

/** A key as a text. */
function textOf(key: Deno.KvKey): string {
  return JSON.stringify(key.map((part) => part instanceof Uint8Array ? part.toHex() : part));
}
