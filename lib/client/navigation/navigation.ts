import { type ReadonlySignal, signal } from "@preact/signals";
import {
  encodePath,
  type EntryPath,
  parentOf,
  parseUrlPath,
  type RequestPath,
} from "../../shared/path.ts";
import { entryOf, newEntry } from "./history_entry.ts";
import { LeaveGuard } from "./leave_guard.ts";
import { linkedPlace } from "../core/links.ts";
import type { Listens } from "../core/listens.ts";
import { PlaceMemory } from "./place_memory.ts";

/** Where in the files area the user is; `folder` is how the address is written. */
export type Place = RequestPath;

/** The part of the page that scrolls. */
export interface Scroller extends Listens {
  scrollTop: number;
}

/** What of the browser navigation works with: `globalThis` in a page. */
export interface Surroundings extends Listens {
  history: Pick<History, "state" | "pushState" | "replaceState" | "scrollRestoration" | "go">;
  location: Pick<Location, "href">;
  document: Listens & { title: string };
  sessionStorage: Pick<Storage, "getItem" | "setItem">;
}

/** The address of a folder or file in the files area. */
export function filesHref(baseUrl: string, at: EntryPath, folder = true): string {
  return `${baseUrl}/files${encodePath(at, { folder })}`;
}

/** The place that an address of the files area names; null for an address of something else. */
export function placeOf(href: string, baseUrl: string): Place | null {
  const { pathname } = new URL(href);
  const prefix = `${baseUrl}/files`;
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return null;
  try {
    return parseUrlPath(pathname.slice(prefix.length));
  } catch {
    return null;
  }
}

/**
 * Moves through the files area without leaving the page, so that uploads go on. Every history entry
 * remembers how it was left, also over a reload.
 */
export class Navigation {
  readonly #baseUrl: string;
  readonly #around: Surroundings | null;
  readonly #titleOf: (place: Place) => string;
  readonly #onAgain: () => void;
  readonly #place;
  readonly #memory: PlaceMemory;
  #entry = newEntry(0, null);
  #returning = false;
  #scroller: Scroller | null = null;
  /** How far that is scrolled, as far as it has told. */
  #top: number | undefined;
  #look: () => unknown = () => null;

  /** Is asked before a place is left. */
  readonly guard = new LeaveGuard();

  /**
   * @param options.around the browser; null on the server
   * @param options.titleOf the document's title at a place
   * @param options.onAgain called when somebody goes to the present place
   */
  constructor(options: {
    baseUrl: string;
    place: Place;
    around: Surroundings | null;
    titleOf: (place: Place) => string;
    onAgain: () => void;
  }) {
    this.#baseUrl = options.baseUrl;
    this.#around = options.around;
    this.#titleOf = options.titleOf;
    this.#onAgain = options.onAgain;
    this.#place = signal(options.place);
    this.#memory = new PlaceMemory(options.around?.sessionStorage);
  }

  /** Where the user is. */
  get place(): ReadonlySignal<Place> {
    return this.#place;
  }

  /** The address of an entry, for links. */
  href(at: EntryPath, folder = true): string {
    return filesHref(this.#baseUrl, at, folder);
  }

  /**
   * Goes to a folder, or a file, once the guard lets the user go. The present place gets no second
   * history entry.
   *
   * @param options.replace puts it in the place of the present history entry
   */
  go(at: EntryPath, options: { folder?: boolean; replace?: boolean } = {}): void {
    const { folder = true, replace = false } = options;
    if (this.#around === null) return;
    if (at === this.#place.peek().path) return this.#onAgain();
    this.#leave(() => this.#enter({ path: at, folder }, replace));
  }

  /** Goes to the folder that holds the present place. */
  up(): void {
    this.go(parentOf(this.#place.peek().path));
  }

  /**
   * Leaves a file for its folder: back, when it was opened from there, else in its place, so that
   * the history does not lead into the file again.
   */
  leave(): void {
    const folder = parentOf(this.#place.peek().path);
    const { history } = this.#around ?? {};
    if (this.#entry.from === folder) history?.go(-1);
    else this.go(folder, { replace: true });
  }

  /** Names the element that scrolls; null once it is gone. */
  scrollsIn(scroller: Scroller | null): void {
    this.#scroller?.removeEventListener("scroll", this.#onScroll);
    this.#scroller = scroller;
    this.#top = this.savedScroll();
    scroller?.addEventListener("scroll", this.#onScroll, { passive: true });
  }

  /** How far the present history entry had been scrolled when it was left; 0 for a new one. */
  savedScroll(): number {
    return this.#memory.recall(this.#entry.cubby).top;
  }

  /** Names what else of a history entry is to be found again: plain JSON, asked for when it is left. */
  keeps(look: () => unknown): void {
    this.#look = look;
  }

  /** What was kept of the present history entry when it was left; null for a new one. */
  kept(): unknown {
    return this.#memory.recall(this.#entry.cubby).kept;
  }

  /**
   * Starts to follow the back button, and ordinary clicks on links marked `data-place`.
   *
   * @returns the way to stop
   */
  start(): () => void {
    const around = this.#around;
    if (around === null) return () => {};
    around.history.scrollRestoration = "manual";
    this.#entry = entryOf(around.history.state) ?? this.#entry;
    around.history.replaceState(this.#entry, "", around.location.href);

    const onPop = () => this.#pop(around);
    const onClick = (event: Event) => this.#click(event as MouseEvent);
    const onHide = () => {
      // To ask where it is now would have a page laid out that goes, before the next one can come.
      this.#remember(this.#top);
      this.#memory.store();
    };
    around.addEventListener("popstate", onPop);
    around.addEventListener("pagehide", onHide);
    around.document.addEventListener("click", onClick);
    return () => {
      around.removeEventListener("popstate", onPop);
      around.removeEventListener("pagehide", onHide);
      around.document.removeEventListener("click", onClick);
    };
  }

  #pop(around: Surroundings): void {
    const place = placeOf(around.location.href, this.#baseUrl);
    const returned = this.#returning;
    this.#returning = false;
    if (place === null || returned) return;
    const isElsewhere = place.path !== this.#place.peek().path;
    if (isElsewhere && !this.guard.isFree) return this.#turnBack(around);
    this.#remember();
    this.#entry = entryOf(around.history.state) ?? newEntry(this.#entry.depth, null);
    if (isElsewhere) this.#arrive(place);
  }

  /** The browser is elsewhere already: it is sent back, and on again when the user may go. */
  #turnBack(around: Surroundings): void {
    const { history } = around;
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

  #enter(place: Place, replace: boolean): void {
    if (this.#around === null) return;
    this.#remember();
    const { history } = this.#around;
    const href = this.href(place.path, place.folder);
    if (replace) history.replaceState(this.#entry, "", href);
    else {
      this.#entry = newEntry(this.#entry.depth + 1, this.#place.peek().path);
      history.pushState(this.#entry, "", href);
    }
    this.#arrive(place);
  }

  #click(event: MouseEvent): void {
    const place = linkedPlace(event, (href) => placeOf(href, this.#baseUrl));
    if (place === null) return;
    event.preventDefault();
    this.go(place.path, { folder: place.folder });
  }

  #arrive(place: Place): void {
    if (this.#around) this.#around.document.title = this.#titleOf(place);
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
