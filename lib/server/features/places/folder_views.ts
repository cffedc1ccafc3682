import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { FolderView } from "../../../shared/schemas/view.ts";
import type { Access } from "../../core/access/access.ts";
import { orWhenUnavailable } from "../../core/kv/circuit_breaker.ts";
import { maxRecordLength } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import { keptPath } from "./favorites.ts";
import { folderViewLists, PlaceLists, type StoredView } from "./place_lists.ts";

/** The most folders of one user whose views are remembered; the one changed longest ago goes. */
const maxViews = 200;

/**
 * How users look at folders: view, size, order and groups. It is in the account and not in the
 * browser, so that the server renders a folder as it will stay, and every device shows it alike.
 */
export class FolderViews {
  /** The lists, which follow folders that are moved. */
  readonly lists: PlaceLists<StoredView>;

  constructor(store: Store) {
    this.lists = new PlaceLists(store, folderViewLists);
  }

  /** How a user looks at a folder; empty where nothing was chosen. */
  async of(userId: number, access: Access, path: EntryPath): Promise<FolderView> {
    const kept = keptPath(access, path);
    const views = await orWhenUnavailable(() => this.lists.get(userId), []);
    return views.find((item) => item.path === kept)?.view ?? {};
  }

  /**
   * Remembers how a user looks at a folder.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async put(userId: number, access: Access, path: EntryPath, view: FolderView): Promise<void> {
    const entry = access.stat(path);
    if (!entry.isFolder) {
      throw new DomainError("not_found", `Cannot store the view of "${path}": it is not a folder`);
    }
    const item: StoredView = { path: keptPath(access, path), place: access.placeOf(entry), view };
    await this.lists.change(userId, (items) => {
      const others = items.filter((each) => each.path !== item.path);
      return fitting([...others, item].slice(-maxViews));
    });
  }

  /** Forgets the view of a folder, if there is one. */
  async remove(userId: number, access: Access, path: EntryPath): Promise<void> {
    const kept = keptPath(access, path);
    await this.lists.change(userId, (items) => {
      const others = items.filter((each) => each.path !== kept);
      return others.length < items.length ? others : null;
    });
  }

  /** Forgets the views of all folders of a user. */
  async clear(userId: number): Promise<void> {
    await this.lists.clear(userId);
  }
}

/** The last items, cut to what fits into a record. */
function fitting(items: readonly StoredView[]): StoredView[] {
  const rest = [...items];
  while (rest.length > 1 && JSON.stringify(rest).length > maxRecordLength) rest.shift();
  return rest;
}
