import { type EntryPath, isInside, parentOf, parsePath } from "../../../shared/path.ts";
import type { Listing } from "../listing/listing.ts";
import { indexOf } from "../../base/files/page_dom.ts";

/** Marks the drop target; the style sheet shows it. */
const MARK = "data-dropping";

/** Matches elements that represent the open folder. */
export const AREA = ".listing, .status";

/** The hover time after which a folder opens, in milliseconds. */
export const REST_MS = 1000;

/** A drop target: a folder, and its element. */
export interface Goal {
  folder: EntryPath;
  element: Element;
}

/** The means to find the folder of an element. */
export interface DropFolderOptions {
  listing: Pick<Listing, "rows">;
  /** The place in the files area that an address refers to; null for others. */
  folderAt: (href: string) => EntryPath | null;
}

/** The folder of the row, tile or link (such as a breadcrumb) that contains an element. */
export function dropFolderAt(target: EventTarget | null, options: DropFolderOptions): Goal | null {
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

/** The element that takes dragged entries as favourites, around an element. */
export function favoritesAt(target: EventTarget | null): Element | null {
  if (!(target instanceof Element) || target.closest("a[data-place]")) return null;
  return target.closest("[data-takes]");
}

/** Has a folder of a tree expand; false for an element that is none. */
export function springOpen(element: Element | null): boolean {
  if (!element?.matches("[data-springs]")) return false;
  element.dispatchEvent(new CustomEvent("spring", { bubbles: true }));
  return true;
}

/** Marks the one current drop target on the page. */
export class DropHighlight {
  #marked: Element | null = null;

  /** Marks another element; null for none. */
  put(element: Element | null): void {
    if (this.#marked === element) return;
    this.#marked?.removeAttribute(MARK);
    element?.setAttribute(MARK, "");
    this.#marked = element;
  }
}

/** The dragged entries, and the permissions of the user. */
export interface Dragged {
  paths: readonly EntryPath[];
  mayMove: boolean;
  mayCopy: boolean;
}

/**
 * The effect of a drop on a folder; null where it is refused: a folder cannot be dropped into
 * itself, and in the present folder only a copy makes sense.
 *
 * @param copying whether the copy key is held
 */
export function dropDoes(
  { paths, mayMove, mayCopy }: Dragged,
  folder: EntryPath,
  copying: boolean,
): "copy" | "move" | null {
  if (paths.length === 0 || paths.some((path) => isInside(folder, path))) return null;
  if (copying) return mayCopy ? "copy" : null;
  if (paths.every((path) => parentOf(path) === folder)) return null;
  return mayMove ? "move" : null;
}

/** Whether a folder opens on hover: any but the open one and the dragged ones. */
export function opens({ paths }: Dragged, folder: EntryPath, open: EntryPath): boolean {
  return folder !== open && !paths.some((path) => isInside(folder, path));
}

/** Opens a target that the pointer has hovered over for a while. */
export class HoverOpen<T> {
  readonly #open: (target: T) => void;
  readonly #restMs: number;
  #target: T | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param open called once each time
   * @param restMs the hover time, in milliseconds
   */
  constructor(open: (target: T) => void, restMs: number) {
    this.#open = open;
    this.#restMs = restMs;
  }

  /** The hovered target; null for none. */
  get target(): T | null {
    return this.#target;
  }

  /** Reports the target below the pointer. */
  hover(target: T | null): void {
    if (target === this.#target) return;
    clearTimeout(this.#timer);
    this.#target = target;
    if (target !== null) this.#timer = setTimeout(() => this.#open(target), this.#restMs);
  }
}
