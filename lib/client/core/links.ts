import type { Place } from "../navigation/navigation.ts";

/** Marks the links that lead through the files area without a new page. */
const MARKED = "a[data-place]";

/** The part of a `MouseEvent` that decides. */
export type LinkClick = Pick<
  MouseEvent,
  "button" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "defaultPrevented" | "target"
>;

/**
 * The place that a click leads to; null when the browser is to do as it always does: with a key
 * held, with another button, on a link that opens elsewhere, and wherever somebody has seen to it.
 */
export function linkedPlace(
  click: LinkClick,
  placeOf: (href: string) => Place | null,
): Place | null {
  const link = followedLink(click, MARKED);
  return link && placeOf(link.href);
}

/**
 * The link by which a click leaves the page; null when it does not: for the same reasons, and where
 * the link leads to another part of the page.
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
