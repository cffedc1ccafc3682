import type { ReadonlySignal } from "@preact/signals";
import type { EntryPath, RequestPath } from "../access/path.ts";
import { encodePath } from "../access/path.ts";

/** Where in the files area the user is; `folder` is how the address is written. */
export type Place = RequestPath;

/** The part of the page that scrolls. */
export interface Scroller {
  scrollTop: number;
}

/** The address of a folder or file in the files area. */
export function filesHref(baseUrl: string, at: EntryPath, folder = true): string {
  return `${baseUrl}/files${encodePath(at, { folder })}`;
}

/** Moves through the files area without leaving the page, by the history API. */
export declare class Navigation {
  /** Where the user is. */
  readonly place: ReadonlySignal<Place>;
  /** Goes to a folder (or file). A second entry for the place one is at already is not made. */
  go(at: EntryPath, options?: { folder?: boolean; replace?: boolean }): void;
  /** Goes to the folder that holds the present place. */
  up(): void;
  /** The address of an entry, for links. */
  href(at: EntryPath, folder?: boolean): string;
  /** Names the element that scrolls; the window by default. */
  scrollsIn(scroller: Scroller): void;
  /** How far the present history entry had been scrolled when it was left; 0 for a new one. */
  savedScroll(): number;
  /**
   * Starts to follow the back button and ordinary clicks on links marked `data-place`.
   * @returns the way to stop
   */
  start(): () => void;
}
