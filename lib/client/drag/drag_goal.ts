import { type EntryPath, parsePath } from "../../shared/path.ts";
import type { Listing } from "../listing/listing.ts";
import { indexOf } from "../listing/row_index.ts";

/** Marks what the pointer would drop on; the style sheet shows it. */
const MARK = "data-dropping";

/** Matches what stands for the folder that is open. */
export const AREA = ".listing, .status";

/** How long a pointer rests on a folder until that opens, in milliseconds. */
export const REST_MS = 1000;

/** A folder that takes what is dropped, and the element that stands for it. */
export interface Goal {
  folder: EntryPath;
  element: Element;
}

/** What tells folders by what is on screen. */
export interface GoalOptions {
  listing: Pick<Listing, "rows">;
  /** The place in the files area that an address names; null for others. */
  folderAt: (href: string) => EntryPath | null;
}

/** The folder whose row, tile or link, such as the way above the listing, an element is part of. */
export function goalAt(target: EventTarget | null, options: GoalOptions): Goal | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest("[data-index]");
  if (row) {
    const entry = options.listing.rows.peek().at(indexOf(row));
    return entry?.isDir ? { folder: parsePath(entry.path).path, element: row } : null;
  }
  const link = target.closest<HTMLAnchorElement>("a[data-place]");
  const folder = link && options.folderAt(link.href);
  return folder ? { folder, element: link } : null;
}

/** The one element on the page that is marked as what would take a drop. */
export class GoalMark {
  #marked: Element | null = null;

  /** Marks another element; null for none. */
  put(element: Element | null): void {
    if (this.#marked === element) return;
    this.#marked?.removeAttribute(MARK);
    element?.setAttribute(MARK, "");
    this.#marked = element;
  }
}
