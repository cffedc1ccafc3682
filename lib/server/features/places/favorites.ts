import { keptPlaceIn } from "../../../shared/named_roots.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import type { Access } from "../../core/access/access.ts";
import { checkRecordSize } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import { favoriteLists, PlaceLists, type StoredFavorite } from "./place_lists.ts";
import { shownPlace } from "./shown_place.ts";

/** The most favourites of one user. */
const maxFavorites = 100;

/** The entries that users have starred, in an order of their own. */
export class Favorites {
  /** The lists, which follow entries that are moved. */
  readonly lists: PlaceLists<StoredFavorite>;

  constructor(store: Store) {
    this.lists = new PlaceLists(store, favoriteLists);
  }

  /** A user's favourites as the user may see them now. */
  async of(userId: number, access: Access): Promise<Favorite[]> {
    return (await this.lists.get(userId)).flatMap((item) => {
      const shown = shownPlace(access, item);
      if (!shown) return [];
      const { path, entry } = shown;
      const isGone = entry === "gone";
      const isDir = entry === null || isGone ? item.isDir : entry.isFolder;
      return [{ path, name: nameOf(path), isDir, isGone }];
    });
  }

  /**
   * Stars an entry; one that is starred already moves to its new position.
   *
   * @param before a favourite that it comes before; the last one without it
   * @throws DomainError `forbidden`, `not_found`; `invalid_body` when there are too many
   */
  async put(
    userId: number,
    access: Access,
    path: EntryPath,
    before: EntryPath | null,
  ): Promise<void> {
    const entry = access.stat(path);
    const item: StoredFavorite = {
      path: keptPath(access, path),
      place: access.placeOf(entry),
      isDir: entry.isFolder,
    };
    const next = before === null ? null : keptPath(access, before);
    await this.lists.change(userId, (items) => {
      if (item.path === next) return null;
      const others = items.filter((each) => each.path !== item.path);
      if (others.length >= maxFavorites) {
        const text = `Cannot add "${path}" to the favourites: at most ${maxFavorites} are allowed`;
        throw new DomainError("invalid_body", text);
      }
      const at = others.findIndex((each) => each.path === next);
      const list = others.toSpliced(at === -1 ? others.length : at, 0, item);
      checkRecordSize(`star "${path}"`, list);
      return list;
    });
  }

  /**
   * Takes a star away, also of an entry that is gone.
   *
   * @throws DomainError `not_found`
   */
  async remove(userId: number, access: Access, path: EntryPath): Promise<void> {
    const kept = keptPath(access, path);
    await this.lists.change(userId, (items) => {
      const others = items.filter((each) => each.path !== kept);
      if (others.length < items.length) return others;
      throw new DomainError(
        "not_found",
        `Cannot remove "${path}" from the favourites: it is not among them`,
      );
    });
  }
}

/** A path of a viewer with the scope before it. */
export function keptPath(access: Access, path: EntryPath): EntryPath {
  return keptPlaceIn(access.viewer, path);
}
