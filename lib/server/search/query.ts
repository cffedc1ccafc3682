import { DomainError } from "../../shared/errors.ts";

/** What to look for in names. Plain data, so that a Worker can be told of it. */
export interface Query {
  /** Texts that must all be in the name. */
  terms: string[];
  isCaseSensitive: boolean;
  /** Kinds of files, one of which it must be: "image", "audio", "video", "pdf", or ".ext". */
  types: string[];
}

/** How results are written: one JSON array, or one JSON object a line (NDJSON). */
export type SearchFormat = "json" | "lines";

/** What to look for, and how to tell of it. */
export interface SearchOptions {
  query: Query;
  format: SearchFormat;
}

/** The longest query taken, in characters. */
const longestQuery = 1_000;

/** The words for kinds; whatever else stands after "type:" is an extension. */
const kinds: Record<string, string> = {
  image: "image",
  audio: "audio",
  music: "audio",
  video: "video",
  pdf: "pdf",
};

/** A phrase in quotes, the last of which may be missing; or a run without a space. */
const words = /"([^"]*)(?:"|$)|(\S+)/g;

/**
 * Reads a query: `holiday "new york" type:image type:tar.gz case:sensitive`. All terms must be in the
 * name, in any order; a phrase in quotes is one term, spaces and all; several types are
 * alternatives. Words that look like options but are none, and anything in quotes, are terms.
 *
 * @throws {DomainError} `invalid_option` when there is nothing to look for, or far too much
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
