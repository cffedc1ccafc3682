import { DomainError } from "../../../shared/errors.ts";
import { takeRange } from "./ranges.ts";
import type { Range } from "./ranges.ts";

/** A parsed query. Plain data that can be posted to a Worker. */
export interface Query {
  /** Texts that must all be in the name. */
  terms: string[];
  /** Texts that must all be in the content; one may end with "*". */
  content: string[];
  isCaseSensitive: boolean;
  /** Types, one of which must match: a {@linkcode Kind}, or ".ext". */
  types: string[];
  /** The size of a file in bytes; null for any. Folders have no size. */
  size: Range | null;
  /** The modification time in milliseconds since 1970; null for any. */
  modified: Range | null;
}

/** Format of the results: one JSON array, or one JSON object a line (NDJSON). */
export type SearchFormat = "json" | "lines";

/** A query and the format of its results. */
export interface SearchOptions {
  query: Query;
  format: SearchFormat;
  /** Whether results have their size and modification time. */
  details: boolean;
}

/** The longest query taken, in characters. */
const maxQueryLength = 1_000;

/** The kinds of entries that "type:" knows by name; any other value of it is an extension. */
export type Kind = "folder" | "document" | "image" | "audio" | "video" | "pdf" | "archive";

const kinds: Record<string, Kind> = {
  folder: "folder",
  document: "document",
  image: "image",
  audio: "audio",
  music: "audio",
  video: "video",
  pdf: "pdf",
  archive: "archive",
};

/**
 * A phrase in quotes, the closing one optional, which may be one of the content; or a run without a
 * space.
 */
const words = /(content:)?"([^"]*)(?:"|$)|(\S+)/gi;

/**
 * Parses a query: `holiday "new york" type:image type:tar.gz case:sensitive size:>10mb
 * modified:30d`. All terms must be in the name, in any order; a quoted phrase is one term, spaces
 * included; several types are alternatives, several bounds of size or time hold together.
 * `content:budget`, `content:inv*` and `content:"annual report"` are about the content. Unknown
 * options and quoted ones are terms.
 *
 * @param now the time from which `modified:30d` counts, in milliseconds since 1970
 * @throws {DomainError} `invalid_option` for an empty or too long query
 */
export function parseQuery(text: string, now = Date.now()): Query {
  if (text.length > maxQueryLength) {
    throw new DomainError(
      "invalid_option",
      `Cannot search: the query is over ${maxQueryLength} characters`,
    );
  }
  const query: Query = {
    terms: [],
    content: [],
    isCaseSensitive: false,
    types: [],
    size: null,
    modified: null,
  };
  for (const [, content, phrase, word = ""] of text.matchAll(words)) {
    if (phrase !== undefined) addTerm(content ? query.content : query.terms, phrase);
    else if (!takeOption(query, word, now)) addTerm(query.terms, word);
  }
  const { terms, content, types, size, modified } = query;
  if (terms.length > 0 || content.length > 0 || types.length > 0 || size || modified) return query;
  throw new DomainError("invalid_option", "Cannot search: the query is empty");
}

function addTerm(terms: string[], term: string): void {
  if (term !== "") terms.push(term.toWellFormed());
}

function takeOption(query: Query, word: string, now: number): boolean {
  const [, name = "", value = ""] = /^(case|type|size|modified|content):(.+)$/i.exec(word) ?? [];
  const option = name.toLowerCase();
  switch (option) {
    case "case":
      return takeCase(query, value.toLowerCase());
    case "type":
      return takeType(query, value.toLowerCase());
    case "content":
      addTerm(query.content, value);
      return true;
    case "size":
    case "modified":
      return takeRange(query, option, value.toLowerCase(), now);
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
