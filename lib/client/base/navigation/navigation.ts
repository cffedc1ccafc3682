import { type ReadonlySignal, signal } from "@preact/signals";
import type { TFunction } from "i18next";
import {
  encodePath,
  type EntryPath,
  nameOf,
  parentOf,
  parseUrlPath,
  type RequestPath,
  ROOT,
} from "../../../shared/path.ts";
import type { Area } from "../../../shared/page_data.ts";
import { LeaveGuard, linkedPlace } from "./leave_guard.ts";
import type { EventSourceLike } from "../core/when.ts";
import { PlaceMemory } from "./place_memory.ts";

/** A place in the files area; `folder` if the address has a trailing slash. */
export type Place = RequestPath;

/** The part of the page that scrolls. */
export interface Scroller extends EventSourceLike {
  scrollTop: number;
}

/** The part of the browser's window that navigation uses: `globalThis` in a page. */
export interface BrowserWindow extends EventSourceLike {
  history: Pick<History, "state" | "pushState" | "replaceState" | "scrollRestoration" | "go">;
  location: Pick<Location, "href">;
  document: EventSourceLike & { title: string };
  sessionStorage: Pick<Storage, "getItem" | "setItem">;
}

/** Where places are: an area of the site, or a share. */
export type PlaceArea = Area | `share/${string}`;

/** The address of a folder or file in the files area; with a line, of that line of a text: "#L42". */
export function filesHref(
  baseUrl: string,
  at: EntryPath,
  folder = true,
  line?: number,
  area: PlaceArea = "files",
): string {
  const hash = line === undefined ? "" : `#L${line}`;
  // A document is open in the office server, its folder among the files.
  const place = area === "office" && folder ? "files" : area;
  return `${baseUrl}/${place}${encodePath(at, { folder })}${hash}`;
}

/** The line that an address names; null for none. */
export function lineOf(href: string): number | null {
  const [, line] = /#L([1-9]\d{0,8})$/.exec(href) ?? [];
  return line === undefined ? null : Number(line);
}

/** The place of an address in the files area; null for other addresses. */
export function placeOf(href: string, baseUrl: string, area: PlaceArea = "files"): Place | null {
  const { pathname } = new URL(href);
  const prefix = `${baseUrl}/${area}`;
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return null;
  try {
    return parseUrlPath(pathname.slice(prefix.length));
  } catch {
    return null;
  }
}

/**
 * Client-side navigation in the files area, so that uploads go on. Every history entry keeps its
 * state, also over a reload.
 */
export class Navigation {
  readonly #baseUrl: string;
  readonly #area: PlaceArea;
  readonly #browser: BrowserWindow | null;
  readonly #titleOf: (place: Place) => string;
  readonly #onAgain: () => void;
  readonly #place;
  readonly #memory: PlaceMemory;
  #entry = newEntry(0, null);
  #returning = false;
  #scroller: Scroller | null = null;
  /** The last reported scroll position. */
  #top: number | undefined;
  #look: () => unknown = () => null;

  /** Called before a place is left. */
  readonly guard = new LeaveGuard();

  /** The present place. */
  readonly place: ReadonlySignal<Place>;

  /**
   * @param options.browser the browser; null on the server
   * @param options.titleOf the document's title at a place
   * @param options.onAgain called when the user navigates to the present place
   */
  constructor(options: {
    baseUrl: string;
    area?: PlaceArea | undefined;
    place: Place;
    browser: BrowserWindow | null;
    titleOf: (place: Place) => string;
    onAgain: () => void;
  }) {
    this.#baseUrl = options.baseUrl;
    this.#area = options.area ?? "files";
    this.#browser = options.browser;
    this.#titleOf = options.titleOf;
    this.#onAgain = options.onAgain;
    this.place = this.#place = signal(options.place);
    this.#memory = new PlaceMemory(options.browser?.sessionStorage);
  }

  /** The address of an entry, for links; in another area with one. */
  href(at: EntryPath, folder = true, line?: number, area = this.#area): string {
    return filesHref(this.#baseUrl, at, folder, line, area);
  }

  /**
   * Goes to a folder or file, if the guard allows it. The present place gets no second history
   * entry.
   *
   * @param options.replace replaces the present history entry
   * @param options.line the line to show of a text
   */
  go(
    at: EntryPath,
    options: { folder?: boolean; replace?: boolean; line?: number } = {},
  ): void {
    const { folder = true, replace = false, line } = options;
    if (this.#browser === null) return;
    if (at === this.#place.peek().path) return this.#onAgain();
    this.#leave(() => this.#enter({ path: at, folder }, replace, line));
  }

  /** Adds a history entry for the present place, as the former one has more in its address. */
  stay(): void {
    this.#enter(this.#place.peek(), false);
  }

  /** Goes to the parent folder. */
  up(): void {
    this.go(parentOf(this.#place.peek().path));
  }

  /**
   * Leaves a file for its folder: back, when it was opened from there, else replacing it, so that
   * the history does not lead into the file again.
   */
  leave(): void {
    const folder = this.#area === "photos" ? ROOT : parentOf(this.#place.peek().path);
    const { history } = this.#browser ?? {};
    if (this.#entry.from === folder) history?.go(-1);
    else this.go(folder, { replace: true });
  }

  /** Sets the element that scrolls; null once it is removed. */
  scrollsIn(scroller: Scroller | null): void {
    this.#scroller?.removeEventListener("scroll", this.#onScroll);
    this.#scroller = scroller;
    this.#top = this.savedScroll();
    scroller?.addEventListener("scroll", this.#onScroll, { passive: true });
  }

  /** The scroll position of the present history entry when it was left; 0 for a new one. */
  savedScroll(): number {
    return this.#memory.recall(this.#entry.cubby).top;
  }

  /**
   * Sets the function that returns further state of a history entry, as plain JSON; called when it
   * is left.
   */
  keeps(look: () => unknown): void {
    this.#look = look;
  }

  /** The saved state of the present history entry; null for a new one. */
  kept(): unknown {
    return this.#memory.recall(this.#entry.cubby).kept;
  }

  /**
   * Starts to handle the back button, and ordinary clicks on links marked `data-place`.
   *
   * @returns a function that stops it
   */
  start(): () => void {
    const browser = this.#browser;
    if (browser === null) return () => {};
    browser.history.scrollRestoration = "manual";
    this.#entry = entryOf(browser.history.state) ?? this.#entry;
    browser.history.replaceState(this.#entry, "", browser.location.href);

    const onPop = () => this.#pop(browser);
    const onClick = (event: Event) => this.#click(event as MouseEvent);
    const onHide = () => {
      // Reading the scroll position now would force a layout of the old page.
      this.#remember(this.#top);
      this.#memory.store();
    };
    browser.addEventListener("popstate", onPop);
    browser.addEventListener("pagehide", onHide);
    browser.document.addEventListener("click", onClick);
    return () => {
      browser.removeEventListener("popstate", onPop);
      browser.removeEventListener("pagehide", onHide);
      browser.document.removeEventListener("click", onClick);
    };
  }

  #pop(browser: BrowserWindow): void {
    const place = placeOf(browser.location.href, this.#baseUrl, this.#area);
    const returned = this.#returning;
    this.#returning = false;
    if (place === null || returned) return;
    const isElsewhere = place.path !== this.#place.peek().path;
    if (isElsewhere && !this.guard.isFree) return this.#turnBack(browser);
    this.#remember();
    this.#entry = entryOf(browser.history.state) ?? newEntry(this.#entry.depth, null);
    if (isElsewhere) this.#arrive(place);
  }

  /** `popstate` fires afterwards: go back, ask, and go forward again if allowed. */
  #turnBack(browser: BrowserWindow): void {
    const { history } = browser;
    const { depth } = this.#entry;
    const by = (entryOf(history.state)?.depth ?? depth) - depth;
    if (by === 0) {
      const { path, folder } = this.#place.peek();
      history.pushState(this.#entry, "", this.href(path, folder));
    } else {
      this.#returning = true;
      history.go(-by);
    }
    this.#leave(() => history.go(by || -1));
  }

  #leave(go: () => void): void {
    if (this.guard.isFree) return go();
    void this.guard.mayLeave().then((may) => may && go());
  }

  #enter(place: Place, replace: boolean, line?: number): void {
    if (this.#browser === null) return;
    this.#remember();
    const { history } = this.#browser;
    const href = this.href(place.path, place.folder, line);
    if (replace) history.replaceState(this.#entry, "", href);
    else {
      this.#entry = newEntry(this.#entry.depth + 1, this.#place.peek().path);
      history.pushState(this.#entry, "", href);
    }
    this.#arrive(place);
  }

  #click(event: MouseEvent): void {
    const place = linkedPlace(event, (href) => placeOf(href, this.#baseUrl, this.#area));
    if (place === null) return;
    event.preventDefault();
    this.go(place.path, { folder: place.folder });
  }

  #arrive(place: Place): void {
    if (this.#browser) this.#browser.document.title = this.#titleOf(place);
    this.#place.value = place;
    this.#top = undefined;
  }

  readonly #onScroll = () => {
    if (this.#scroller) this.#top = this.#scroller.scrollTop;
  };

  #remember(top = this.#scroller?.scrollTop ?? this.savedScroll()): void {
    this.#memory.note(this.#entry.cubby, { top, kept: this.#look() });
  }
}

/** The document's title in the files area: the name of the folder or file, then the route's name. */
export function filesTitle(t: TFunction, at: EntryPath, area?: Area): string {
  const top = area === "photos" ? t("places.photos") : t("files.myFiles");
  return `${nameOf(at) || top} - ${t("files.area")}`;
}

/** The state of an entry of the browser's history, plain JSON. */
export interface HistoryEntry {
  /** The identifier of the entry within the tab. */
  readonly cubby: string;
  /** The number of entries before it. */
  readonly depth: number;
  /** The place before it; null if unknown. */
  readonly from: string | null;
}

/** A new entry. */
function newEntry(depth: number, from: string | null): HistoryEntry {
  // `crypto.randomUUID` is missing on plain http, and this must only be unique within one tab.
  return { cubby: Math.random().toString(36).slice(2), depth, from };
}

/** The entry of a state; null for a foreign state. */
function entryOf(state: unknown): HistoryEntry | null {
  const { cubby, depth, from } = (state ?? {}) as Partial<Record<keyof HistoryEntry, unknown>>;
  if (typeof cubby !== "string" || typeof depth !== "number") return null;
  return { cubby, depth, from: typeof from === "string" ? from : null };
}
