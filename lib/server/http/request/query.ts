import type { Sorting } from "../../../shared/schemas/view.ts";
import { DomainError } from "../../../shared/errors.ts";
import {
  type Grouping,
  groupings,
  type SortBy,
  sortKeys,
  type ThumbSide,
  thumbSides,
} from "../../../shared/schemas/choices/choices.ts";
import { wholeNumber } from "../../../shared/whole_number.ts";

/**
 * A whole number of the query, 0 or more; undefined when it is absent.
 *
 * @throws DomainError `invalid_option`
 */
export function countOption(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const number = wholeNumber(text);
  if (number !== undefined) return number;
  throw new DomainError(
    "invalid_option",
    `Cannot use "${text}" as ${name}: expected a whole number`,
  );
}

/**
 * Refuses a parameter of the query that its call does not have: ignored, a typo such as `?passwort=`
 * would make a link that anybody opens. `path` and `auth` are parameters of every call.
 *
 * @throws DomainError `invalid_option`
 */
export function checkParameters(query: URLSearchParams, names: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => ![...names, "path", "auth"].includes(name));
  if (unknown === undefined) return;
  const quoted = JSON.stringify(unknown);
  throw new DomainError(
    "invalid_option",
    `Cannot read the request: unknown query parameter ${quoted}`,
  );
}

/** Whether a flag of the query is `true`; any other value counts as false. */
export function flagOption(query: URLSearchParams, name: string): boolean {
  return query.get(name) === "true";
}

/**
 * The order of `?sort=` and `?order=`; defaults come from the stored one.
 *
 * @throws DomainError `invalid_option`
 */
export function sortingOption(query: URLSearchParams, stored: Sorting): Sorting {
  const by = query.get("sort") || stored.by;
  const order = query.get("order") || (stored.asc ? "asc" : "desc");
  if (!isSortBy(by)) throw new DomainError("invalid_option", `Cannot sort by "${by}"`);
  if (order !== "asc" && order !== "desc") {
    throw new DomainError("invalid_option", `Cannot sort in the order "${order}"`);
  }
  return { by, asc: order === "asc" };
}

/**
 * How to group entries, by `?groupBy=`; undefined when it is absent.
 *
 * @throws DomainError `invalid_option`
 */
export function groupingOption(query: URLSearchParams): Grouping | undefined {
  const text = query.get("groupBy");
  if (text === null || text === "") return undefined;
  const grouping = groupings.find((name) => name === text);
  if (grouping !== undefined) return grouping;
  throw new DomainError("invalid_option", `Cannot group by "${text}"`);
}

/** The kinds of previews in addresses: a thumbnail, or one that fills a screen. */
export type PreviewKind = "thumb" | "big" | "pdf";

/** @throws DomainError `not_found` for another kind of preview in an address */
export function previewKind(text: string | undefined): PreviewKind {
  if (text === "thumb" || text === "big" || text === "pdf") return text;
  throw new DomainError("not_found", "Cannot answer the request: not found");
}

/** The parts of a stream in addresses. */
const streamParts = ["info", "hls", "subtitle", "picture"] as const;

/** One of {@linkcode streamParts}. */
export type StreamPart = typeof streamParts[number];

/** @throws DomainError `not_found` for another part of a stream in an address */
export function streamPart(text: string | undefined): StreamPart {
  const part = streamParts.find((name) => name === text);
  if (part !== undefined) return part;
  throw new DomainError("not_found", "Cannot answer the request: not found");
}

/**
 * The size of a thumbnail in `?side=`, in pixels; the smallest one by default.
 *
 * @throws DomainError `invalid_option`
 */
export function sideOption(query: URLSearchParams): ThumbSide {
  const text = query.get("side");
  if (text === null) return thumbSides[0];
  const side = thumbSides.find((side) => String(side) === text);
  if (side !== undefined) return side;
  const known = thumbSides.join(", ");
  throw new DomainError("invalid_option", `Cannot use "${text}" as side: expected one of ${known}`);
}

function isSortBy(text: string): text is SortBy {
  return sortKeys.some((key) => key === text);
}
