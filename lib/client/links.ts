import type { Place } from "./navigation.ts";

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
  if (click.defaultPrevented || click.button !== 0) return null;
  if (click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return null;
  const target = click.target as Partial<Element> | null;
  const link = target?.closest?.(MARKED) as HTMLAnchorElement | null | undefined;
  if (!link || (link.target !== "" && link.target !== "_self")) return null;
  if (link.hasAttribute("download")) return null;
  return placeOf(link.href);
}
