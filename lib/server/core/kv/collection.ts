import { type EntryPath, isInside, joinPaths, relativePath } from "../../../shared/path.ts";
import { getAll } from "./parts.ts";
import { digestsOf } from "./path_digests.ts";
import type { Store } from "./store.ts";

/** The operation that a record is written or removed with. */
type Operation = Deno.AtomicOperation;

/** An index of a collection: keys that lead to the records of the collection. */
export class Index<T> {
  /**
   * @param name the first part of its keys
   * @param partsOf the other parts of the keys of a record, mostly with the id as the last one
   * @param valueOf the value at these keys
   */
  constructor(
    readonly name: string,
    readonly partsOf: (record: T, id: string) => readonly Deno.KvKeyPart[][],
    readonly valueOf: (record: T, id: string) => unknown = () => null,
  ) {}

  /** Prefix of the keys that begin with some parts; without parts, of all keys. */
  prefix(...parts: readonly Deno.KvKeyPart[]): Deno.KvKey {
    return [this.name, ...parts];
  }

  /** The keys of a record. */
  keys(record: T, id: string): Deno.KvKey[] {
    return this.partsOf(record, id).map((parts) => [this.name, ...parts]);
  }
}

/**
 * An index by path: empty values. Paths may be longer than keys, so a key has a digest of each
 * segment; readers compare the path itself.
 */
export class PlaceIndex<T extends { place: EntryPath }> extends Index<T> {
  constructor(name: string) {
    super(name, ({ place }, id) => [[...digestsOf(place), id]]);
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

/** Records of one kind by their ids, with the indexes that are written and removed with them. */
export class Collection<T> {
  /**
   * @param name the first part of its keys
   * @param owned first parts of the keys of other records with the same ids, which end with them
   */
  constructor(
    readonly name: string,
    readonly indexes: readonly Index<T>[],
    readonly owned: readonly string[] = [],
  ) {}

  /** The key of a record. */
  key(id: string): Deno.KvKey {
    return [this.name, id];
  }

  /** Prefix of all records. */
  prefix(): Deno.KvKey {
    return [this.name];
  }

  /** The keys of a record in the indexes. */
  indexKeys(record: T, id: string): Deno.KvKey[] {
    return this.indexes.flatMap((index) => index.keys(record, id));
  }

  /** Reads the records whose ids end the keys of an index. */
  async named(
    store: Pick<Store, "getMany">,
    entries: readonly Deno.KvEntry<unknown>[],
  ): Promise<Deno.KvEntryMaybe<T>[]> {
    return await getAll<T>(store, idsIn(entries).map((id) => this.key(id)));
  }

  /** Stores a record with its index entries. */
  put(operation: Operation, id: string, record: T): Operation {
    operation.set(this.key(id), record);
    for (const index of this.indexes) {
      const value = index.valueOf(record, id);
      for (const key of index.keys(record, id)) operation.set(key, value);
    }
    return operation;
  }

  /** Replaces a record as it was read, with its index entries. */
  replace(operation: Operation, id: string, former: Deno.KvEntry<T>, next: T): Operation {
    return this.put(this.#dropIndexes(operation.check(former), id, former.value), id, next);
  }

  /** Removes a record with its index entries and the records that end with it. */
  drop(operation: Operation, id: string, record: T): Operation {
    for (const name of this.owned) operation.delete([name, id]);
    return this.#dropIndexes(operation, id, record).delete(this.key(id));
  }

  #dropIndexes(operation: Operation, id: string, record: T): Operation {
    for (const key of this.indexKeys(record, id)) operation.delete(key);
    return operation;
  }
}

/** The ids that end the keys of an index or of records. */
export function idsIn(entries: readonly Deno.KvEntry<unknown>[]): string[] {
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
