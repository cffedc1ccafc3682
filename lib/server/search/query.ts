import { DomainError } from "../../shared/errors.ts";

/** A parsed query for names. Plain data that can be posted to a Worker. */
export interface Query {
  /** Texts that must all be in the name. */
  terms: string[];
  isCaseSensitive: boolean;
  /** File types, one of which must match: "image", "audio", "video", "pdf", or ".ext". */
  types: string[];
}

/** Format of the results: one JSON array, or one JSON object a line (NDJSON). */
export type SearchFormat = "json" | "lines";

/** A query and the format of its results. */
export interface SearchOptions {
  query: Query;
  format: SearchFormat;
}

/** The longest query taken, in characters. */
const longestQuery = 1_000;

/** Words for types; any other value of "type:" is an extension. */
const kinds: Record<string, string> = {
  image: "image",
  audio: "audio",
  music: "audio",
  video: "video",
  pdf: "pdf",
};

/** A phrase in quotes, the closing one optional; or a run without a space. */
const words = /"([^"]*)(?:"|$)|(\S+)/g;

/**
 * Parses a query: `holiday "new york" type:image type:tar.gz case:sensitive`. All terms must be in
 * the name, in any order; a quoted phrase is one term, spaces included; several types are
 * alternatives. Unknown options and quoted ones are terms.
 *
 * @throws {DomainError} `invalid_option` for an empty or too long query
 */
export function parseQuery(text: string): Query {
  if (text.length > longestQuery) {
    throw new DomainError(
      "invalid_option",
      `Cannot search: the query is over ${longestQuery} characters`,
    );
  }
  const query: Query = { terms: [], isCaseSensitive: false, types: [] };
  for (const [, phrase, word = ""] of text.matchAll(words)) {
    if (phrase !== undefined) addTerm(query, phrase);
    else if (!takeOption(query, word)) addTerm(query, word);
  }
  if (query.terms.length > 0 || query.types.length > 0) return query;
  throw new DomainError("invalid_option", "Cannot search: the query is empty");
}

function addTerm({ terms }: Query, term: string): void {
  if (term !== "") terms.push(term.toWellFormed());
}

function takeOption(query: Query, word: string): boolean {
  const [, name, value = ""] = /^(case|type):(.+)$/i.exec(word) ?? [];
  switch (name?.toLowerCase()) {
    case "case":
      return takeCase(query, value.toLowerCase());
    case "type":
      return takeType(query, value.toLowerCase());
    default:
      return false;
  }
}

function takeCase(query: Query, value: string): boolean {
  if (value !== "sensitive" && value !== "insensitive") return false;
  query.isCaseSensitive = value === "sensitive";
  return true;
}

function takeType({ types }: Query, value: string): boolean {
  const extension = value.replace(/^\.+/, "");
  if (extension === "") return false;
  types.push(Object.hasOwn(kinds, value) ? kinds[value] ?? "" : `.${extension}`);
  return true;
}
