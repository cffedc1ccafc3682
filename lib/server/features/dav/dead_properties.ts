import { createHash } from "node:crypto";
import {
  childOf,
  type EntryPath,
  isInside,
  joinPaths,
  relativePath,
} from "../../../shared/path.ts";
import type { EntryObserver } from "../../files/entry_observers.ts";
import { Collection, idsIn, PlaceIndex } from "../../core/kv/collection.ts";
import { commitChange } from "../../core/kv/commit.ts";
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
const propertiesByPlace = new PlaceIndex<StoredProperties>("dav_property_places");

/**
 * Properties that WebDAV clients have set on an entry: at most 60 KiB. The key has a digest of its
 * path.
 */
const propertyRecords = new Collection<StoredProperties>("dav_properties", [propertiesByPlace]);

/** Most characters of all dead properties of an entry. */
export const maxPropertiesLength = maxRecordLength;

/**
 * Dead properties (RFC 4918, 4): what clients have noted of entries, which the server only keeps.
 * The store has them by the paths of entries: they follow moves and copies, and end with the entry.
 */
export class DeadProperties implements EntryObserver {
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
    const digest = digestOf(place);
    await commitChange(this.#store, async () => {
      const entry = await this.#store.get<StoredProperties>(propertyRecords.key(digest));
      const properties = change(entry.value?.properties ?? []);
      const next: StoredProperties = { place, properties };
      checkRecordSize(`keep the properties of an entry`, next);
      return {
        result: undefined,
        build: (operation) => {
          const checked = operation.check(entry);
          return properties.length === 0
            ? propertyRecords.drop(checked, digest, next)
            : propertyRecords.put(checked, digest, next);
        },
      };
    });
  }

  /** Gives the copy of an entry what the entry and those below it have. */
  async copy(from: EntryPath, to: EntryPath): Promise<void> {
    const copied = await this.#below(from);
    await this.removed(to);
    for (const { place, properties } of copied) {
      await this.change(joinPaths(to, relativePath(place, from)), () => properties);
    }
  }

  /** Gives the copy of a folder what the folder itself has. */
  async copyOwn(from: EntryPath, to: EntryPath): Promise<void> {
    const properties = await this.of(from);
    await this.change(to, () => properties);
  }

  async concerns(path: EntryPath): Promise<boolean> {
    return (await this.#below(path)).length > 0;
  }

  async moved(from: EntryPath, to: EntryPath): Promise<void> {
    await this.copy(from, to);
    await this.removed(from);
  }

  async removed(path: EntryPath): Promise<void> {
    for (const { place } of await this.#below(path)) await this.change(place, () => []);
  }

  /** The properties of a place and of all below it. */
  async #below(path: EntryPath): Promise<StoredProperties[]> {
    const digests = await this.#digestsBelow(path);
    const found: StoredProperties[] = [];
    for (const digest of digests) {
      const stored = await this.#get(digest);
      if (stored && isInside(stored.place, path)) found.push(stored);
    }
    return found;
  }

  async #digestsBelow(path: EntryPath): Promise<readonly string[]> {
    const prefix = propertiesByPlace.below(path);
    return await this.#store.cachedRead(prefix, async () => idsIn(await this.#store.list(prefix)));
  }

  async #get(digest: string): Promise<StoredProperties | null> {
    const key = propertyRecords.key(digest);
    return await this.#store.cachedRead(key, async () => {
      return (await this.#store.get<StoredProperties>(key)).value;
    });
  }
}

function digestOf(place: EntryPath): string {
  return createHash("sha256").update(place).digest("base64url");
}
