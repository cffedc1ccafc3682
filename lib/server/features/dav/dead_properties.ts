import { createHash } from "node:crypto";
import { childOf, type EntryPath, joinPaths, relativePath } from "../../../shared/path.ts";
import { Collection, idsIn, PlaceIndex } from "../../core/kv/collection.ts";
import { checkRecordSize, maxRecordLength } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import type { DeadProperty } from "./multistatus.ts";

/** The dead properties of one entry. */
interface StoredProperties {
  /** Below the server's root. */
  place: EntryPath;
  properties: readonly DeadProperty[];
}

/** The index of these properties by path: empty values. */
const propertiesByPlace = new PlaceIndex<StoredProperties>(
  "dav_property_places",
  ({ place }) => [place],
);

/**
 * Properties that WebDAV clients have set on an entry: at most 60 KiB. The key has a digest of its
 * path.
 */
export const propertyRecords = new Collection<StoredProperties>("dav_properties", {
  indexes: [propertiesByPlace],
  follows: {
    moved: (record, from, to) => ({
      ...record,
      place: joinPaths(to, relativePath(record.place, from)),
    }),
    idOf: ({ place }) => [digestOf(place)],
  },
});

/** Most characters of all dead properties of an entry. */
export const maxPropertiesLength = maxRecordLength;

/**
 * Dead properties (RFC 4918, 4): what clients have noted of entries, which the server only keeps.
 * The store has them by the paths of entries: they follow moves and copies, and end with the entry.
 */
export class DeadProperties {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The properties of an entry. */
  async of(place: EntryPath): Promise<readonly DeadProperty[]> {
    return (await this.#get(digestOf(place)))?.properties ?? [];
  }

  /** Reads those of the entries in a folder, by name; entries that have none cost no read. */
  async in(folder: EntryPath): Promise<(name: string) => Promise<readonly DeadProperty[]>> {
    const digests = new Set(await this.#digestsBelow(folder));
    const none: readonly DeadProperty[] = [];
    if (digests.size === 0) return () => Promise.resolve(none);
    return async (name) => {
      const digest = digestOf(childOf(folder, name));
      return digests.has(digest) ? (await this.#get(digest))?.properties ?? none : none;
    };
  }

  /**
   * Changes those of an entry.
   *
   * @param change answers with the next ones; it may be called again
   * @throws {DomainError} `invalid_body` when they get too long for the store
   */
  async change(
    place: EntryPath,
    change: (properties: readonly DeadProperty[]) => readonly DeadProperty[],
  ): Promise<void> {
    await propertyRecords.update(this.#store, [digestOf(place)], (now) => {
      const properties = change(now?.properties ?? []);
      const next: StoredProperties = { place, properties };
      checkRecordSize(`keep the properties of an entry`, next);
      return properties.length === 0 ? null : next;
    });
  }

  /** Whether an entry, or one below it, has any. */
  async has(place: EntryPath): Promise<boolean> {
    return await propertyRecords.hasBelow(this.#store, place);
  }

  /** Removes those of an entry and of those below it. */
  async remove(place: EntryPath): Promise<void> {
    await propertyRecords.follow(this.#store, place, null);
  }

  /** Gives the copy of an entry what the entry and those below it have. */
  async copy(from: EntryPath, to: EntryPath): Promise<void> {
    const copied = (await Array.fromAsync(propertyRecords.below(this.#store, from))).flat();
    await this.remove(to);
    for (const { value: { place, properties } } of copied) {
      await this.change(joinPaths(to, relativePath(place, from)), () => properties);
    }
  }

  /** Gives the copy of a folder what the folder itself has. */
  async copyOwn(from: EntryPath, to: EntryPath): Promise<void> {
    const properties = await this.of(from);
    await this.change(to, () => properties);
  }

  async #digestsBelow(path: EntryPath): Promise<readonly string[]> {
    const prefix = propertiesByPlace.below(path);
    return await this.#store.cachedRead(prefix, async () => idsIn(await this.#store.list(prefix)));
  }

  async #get(digest: string): Promise<StoredProperties | null> {
    return await propertyRecords.cached(this.#store, digest);
  }
}

function digestOf(place: EntryPath): string {
  return createHash("sha256").update(place).digest("base64url");
}
