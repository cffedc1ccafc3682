import { type EntryPath, isInside } from "../../../shared/path.ts";
import type { EntryObserver } from "../../files/entry_observers.ts";
import { movedWith } from "../../core/kv/collection.ts";
import { commitChange } from "../../core/kv/commit.ts";
import {
  favoriteKeys,
  folderViewKeys,
  type PlaceListKeys,
  recentKeys,
} from "../../core/kv/keys/places.ts";
import { digestsOf } from "../../core/kv/path_digests.ts";
import type { Store } from "../../core/kv/store.ts";

/** An entry in a user's list. */
export interface ListedPlace {
  /** The path in the scope that the user had at the time, with the scope before it. */
  path: EntryPath;
  /** Its own place below the server's root, by which it is followed; a link's target's. */
  place: EntryPath;
}

/**
 * Lists of entries, one for each user, that follow their entries when these are moved: favourites,
 * and what was used last. An index by path names the users who have listed something there.
 */
export class PlaceLists<T extends ListedPlace> implements EntryObserver {
  readonly #store: Store;
  readonly #keys: PlaceListKeys;
  readonly #keepsRemoved: boolean;

  /** @param options.keepsRemoved entries that are deleted stay in the lists, as they may come back */
  constructor(store: Store, keys: PlaceListKeys, options: { keepsRemoved: boolean }) {
    this.#store = store;
    this.#keys = keys;
    this.#keepsRemoved = options.keepsRemoved;
  }

  /** A user's list, in its order. */
  async get(userId: number): Promise<readonly T[]> {
    const key = this.#keys.list(userId);
    return await this.#store.cachedRead(key, async () => {
      return (await this.#store.get<T[]>(key)).value ?? [];
    });
  }

  /**
   * Changes a user's list, together with the index.
   *
   * @param change answers with the next list, or null to leave it; it may be called again, and may
   * throw to refuse
   */
  async change(
    userId: number,
    change: (items: readonly T[]) => readonly T[] | null,
  ): Promise<void> {
    const key = this.#keys.list(userId);
    await commitChange(this.#store, async () => {
      const entry = await this.#store.get<T[]>(key);
      const former = entry.value ?? [];
      const next = change(former);
      if (next === null) return { result: undefined, build: null };
      const [old, now] = [placesOf(former), placesOf(next)];
      return {
        result: undefined,
        build: (operation) => {
          const checked = operation.check(entry);
          for (const place of old.difference(now)) checked.delete(this.#indexKey(place, userId));
          for (const place of now.difference(old)) {
            checked.set(this.#indexKey(place, userId), null);
          }
          return next.length === 0 ? checked.delete(key) : checked.set(key, next);
        },
      };
    });
  }

  /** Forgets the list of a user. */
  async clear(userId: number): Promise<void> {
    await this.change(userId, (items) => items.length === 0 ? null : []);
  }

  async concerns(path: EntryPath): Promise<boolean> {
    return (await this.#usersWith(path)).length > 0;
  }

  async moved(from: EntryPath, to: EntryPath): Promise<void> {
    for (const userId of await this.#usersWith(from)) {
      await this.change(userId, (items) => items.map((item) => movedWith(item, from, to)));
    }
  }

  async removed(path: EntryPath): Promise<void> {
    if (this.#keepsRemoved) return;
    for (const userId of await this.#usersWith(path)) {
      await this.change(userId, (items) => items.filter(({ place }) => !isInside(place, path)));
    }
  }

  /** The users who have listed an entry at a place or below it. */
  async #usersWith(path: EntryPath): Promise<number[]> {
    const found = await this.#store.list(this.#keys.index(digestsOf(path)));
    const users: number[] = [];
    for (const userId of new Set(found.map(({ key }) => Number(key.at(-1))))) {
      const items = await this.get(userId);
      if (items.some(({ place }) => isInside(place, path))) users.push(userId);
    }
    return users;
  }

  #indexKey(place: EntryPath, userId: number): Deno.KvKey {
    return [...this.#keys.index(digestsOf(place)), userId];
  }
}

function placesOf(items: readonly ListedPlace[]): Set<EntryPath> {
  return new Set(items.map(({ place }) => place));
}

/** Forgets the favourites, the recent files and the views of folders of a user who was deleted. */
export async function forgetPlaces(store: Store, userId: number): Promise<void> {
  for (const keys of [favoriteKeys, folderViewKeys, recentKeys]) {
    await new PlaceLists(store, keys, { keepsRemoved: true }).clear(userId);
  }
}
