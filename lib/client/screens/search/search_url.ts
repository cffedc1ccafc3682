import { SEARCH_ORDERS, type SearchOrder } from "./ranking.ts";
import {
  MAX_QUERY,
  NO_FILTER,
  SEARCH_AGES,
  SEARCH_SIZES,
  SEARCH_TYPES,
  type SearchFilter,
} from "./search_query.ts";

/** The query of the user. It is part of the page's address. */
export interface Asked {
  text: string;
  filter: SearchFilter;
  order: SearchOrder;
  /** Whether the whole scope is searched. */
  everywhere: boolean;
  /** Whether contents are searched as well as names. */
  contents: boolean;
}

/** Nothing is asked for. */
export const NOT_ASKED: Asked = {
  text: "",
  filter: NO_FILTER,
  order: "relevance",
  everywhere: false,
  contents: false,
};

/** The query of the page's address for a search: `?search=sea&type=image&in=all`. */
export function addressOf({ text, filter, order, everywhere, contents }: Asked): string {
  const query = new URLSearchParams({ search: text.trim() });
  if (filter.types.size > 0) query.set("type", [...filter.types].join());
  if (filter.age !== "") query.set("age", filter.age);
  if (filter.size !== "") query.set("size", filter.size);
  if (order !== "relevance") query.set("order", order);
  if (everywhere) query.set("in", "all");
  if (contents) query.set("contents", "true");
  return `?${query}`;
}

/**
 * Reads {@linkcode addressOf} back; null without a search. Values that it never writes are left
 * out.
 */
export function askedBy(address: string): Asked | null {
  const query = new URLSearchParams(address);
  const text = query.get("search");
  if (text === null) return null;
  const types = (query.get("type") ?? "").split(",");
  return {
    text: text.slice(0, MAX_QUERY),
    filter: {
      types: new Set(SEARCH_TYPES.filter((type) => types.includes(type))),
      age: SEARCH_AGES.find((age) => age === query.get("age")) ?? "",
      size: SEARCH_SIZES.find(([size]) => size === query.get("size"))?.[0] ?? "",
    },
    order: SEARCH_ORDERS.find((order) => order === query.get("order")) ?? "relevance",
    everywhere: query.get("in") === "all",
    contents: query.get("contents") === "true",
  };
}
