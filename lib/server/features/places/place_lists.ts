import { type EntryPath, isInside } from "../../../shared/path.ts";
import type { RecentUse } from "../../../shared/schemas/places.ts";
import type { FolderView } from "../../../shared/schemas/view.ts";
import { Collection, type Following, movedWith, PlaceIndex } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";

/** An entry in a user's list. */
export interface ListedPlace {
  /** The path in the scope that the user had at the time, with the scope before it. */
  path: EntryPath;
  /** Its own place below the server's root, by which it is followed; a link's target's. */
  place: EntryPath;
}

/** A favourite as the store holds it. */
export interface StoredFavorite extends ListedPlace {
  /** Whether it was a folder when it was starred. */
  isDir: boolean;
}

/** A use of a file as the store holds it. */
export interface StoredUse extends ListedPlace {
  use: RecentUse;
  /** The time of it, in milliseconds since 1970. */
  at: number;
}

/** How a user looks at a folder, as the store holds it. */
export interface StoredView extends ListedPlace {
  view: FolderView;
}

/** Lists of users follow their entries when these are moved. */
const moved = <T extends ListedPlace>(items: readonly T[], from: EntryPath, to: EntryPath) =>
  items.map((item) => movedWith(item, from, to));

/** What is deleted leaves the lists. */
const following: Following<readonly ListedPlace[], [number]> = {
  moved,
  removed(items, path) {
    const rest = items.filter(({ place }) => !isInside(place, path));
    return rest.length === 0 ? null : rest;
  },
};

/** The index of favourites by path: empty values. */
const favoritePlaces = new PlaceIndex<readonly ListedPlace[], [userId: number]>(
  "favorite_places",
  placesOf,
);

/** The favourites of a user, in their order: at most 60 KiB. */
export const favoriteLists = new Collection<readonly StoredFavorite[], [userId: number]>(
  "favorites",
  {
    indexes: [favoritePlaces],
    // Entries that are deleted stay in the lists, as they may come back.
    follows: { moved, removed: (items) => items },
  },
);

/** The index of recent files by path: empty values. */
const recentPlaces = new PlaceIndex<readonly ListedPlace[], [userId: number]>(
  "recent_places",
  placesOf,
);

/** The files that a user has used last: at most 60 KiB. */
export const recentLists = new Collection<readonly StoredUse[], [userId: number]>("recent", {
  indexes: [recentPlaces],
  follows: following as Following<readonly StoredUse[], [userId: number]>,
});

/** The index of views of folders by path: empty values. */
const viewPlaces = new PlaceIndex<readonly ListedPlace[], [userId: number]>(
  "folder_view_places",
  placesOf,
);

/** How a user looks at folders: at most 60 KiB. */
export const folderViewLists = new Collection<readonly StoredView[], [userId: number]>(
  "folder_views",
  {
    indexes: [viewPlaces],
    follows: following as Following<readonly StoredView[], [userId: number]>,
  },
);

/**
 * Lists of entries, one for each user, that follow their entries when these are moved: favourites,
 * and what was used last. An index by path names the users who have listed something there.
 */
export class PlaceLists<T extends ListedPlace> {
  readonly #store: Store;
  readonly #records: Collection<readonly T[], [userId: number]>;

  constructor(store: Store, records: Collection<readonly T[], [userId: number]>) {
    this.#store = store;
    this.#records = records;
  }

  /** A user's list, in its order. */
  async get(userId: number): Promise<readonly T[]> {
    return await this.#records.cached(this.#store, userId) ?? [];
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
    await this.#records.update(this.#store, [userId], (items) => {
      const next = change(items ?? []);
      return next === null ? undefined : next.length === 0 ? null : next;
    });
  }

  /** Forgets the list of a user. */
  async clear(userId: number): Promise<void> {
    await this.#records.remove(this.#store, userId);
  }
}

function placesOf(items: readonly ListedPlace[]): readonly EntryPath[] {
  return [...new Set(items.map(({ place }) => place))];
}

/** Forgets the favourites, the recent files and the views of folders of a user who was deleted. */
export async function forgetPlaces(store: Store, userId: number): Promise<void> {
  for (const each of [favoriteLists, folderViewLists, recentLists]) {
    await each.remove(store, userId);
  }
}
