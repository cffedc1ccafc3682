import type { Place } from "./navigation.ts";

/** A holder of unsaved changes, which is asked before navigation. */
export interface LeaveBlocker {
  /** Whether there are unsaved changes. */
  holds: () => boolean;
  /** Whether what it holds stays on screen, whatever becomes of its file: without a question. */
  keeps?: () => boolean;
  /** Asks the user; true when navigation may go on, with no unsaved changes left. */
  ask: () => Promise<boolean>;
}

/** Guards all navigation: asks about unsaved changes first. */
export class LeaveGuard {
  readonly #holders = new Set<LeaveBlocker>();
  #asking = false;

  /** No unsaved changes. */
  get isFree(): boolean {
    return !this.#held;
  }

  /** Something stays on screen, whatever becomes of its file. */
  get keeps(): boolean {
    return !this.isFree || [...this.#holders].some((holder) => holder.keeps?.());
  }

  get #held(): LeaveBlocker | undefined {
    return [...this.#holders].find((holder) => holder.holds());
  }

  /**
   * Registers a holder; holders are called in the order of registration.
   *
   * @returns a function that stops it
   */
  hold(holder: LeaveBlocker): () => void {
    this.#holders.add(holder);
    return () => void this.#holders.delete(holder);
  }

  /** Whether navigation may go on. Concurrent attempts are refused while a prompt is open. */
  async mayLeave(): Promise<boolean> {
    if (this.#asking) return false;
    this.#asking = true;
    try {
      for (let held = this.#held; held; held = this.#held) {
        if (!await held.ask()) return false;
      }
      return true;
    } finally {
      this.#asking = false;
    }
  }

  /** Removes all holders: the page is being left. */
  letGo(): void {
    this.#holders.clear();
  }
}

/** `beforeunload` handler: shows the browser's own leave warning. */
export function warnBeforeLeaving(event: Event): void {
  event.preventDefault();
}

/** Marks links within the files area, for client-side navigation. */
const MARKED = "a[data-place]";

/** The part of a `MouseEvent` that decides. */
export type LinkClick = Pick<
  MouseEvent,
  "button" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "defaultPrevented" | "target"
>;

/**
 * The place that a click leads to; null to leave it to the browser: with a modifier key, with
 * another button, for links that open elsewhere, and for handled events.
 */
export function linkedPlace(
  click: LinkClick,
  placeOf: (href: string) => Place | null,
): Place | null {
  const link = followedLink(click, MARKED);
  return link && placeOf(link.href);
}

/**
 * The link by which a click leaves the page; null when it does not: for the same reasons, and for a
 * link within the page.
 *
 * @param here the page's address
 */
export function leavingLink(
  click: LinkClick,
  here: Pick<Location, "href">,
): HTMLAnchorElement | null {
  const link = followedLink(click, "a[href]");
  const isWithin = link?.href.includes("#") && pageOf(link.href) === pageOf(here.href);
  return isWithin ? null : link;
}

function followedLink(click: LinkClick, selector: string): HTMLAnchorElement | null {
  if (click.defaultPrevented || click.button !== 0) return null;
  if (click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return null;
  const target = click.target as Partial<Element> | null;
  const link = target?.closest?.(selector) as HTMLAnchorElement | null | undefined;
  if (!link || (link.target !== "" && link.target !== "_self")) return null;
  return link.hasAttribute("download") ? null : link;
}

function pageOf(href: string): string | undefined {
  return href.split("#", 1)[0];
}
