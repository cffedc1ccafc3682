import type { SearchRest } from "../../../shared/schemas/entry.ts";
import { foldText } from "../../../shared/fold.ts";
import { isGlob } from "../../../shared/glob.ts";
import { SEARCH_ORDERS, type SearchOrder } from "./ranking.ts";

/** A kind of entry to filter by. */
export type SearchType =
  | "folder"
  | "document"
  | "image"
  | "music"
  | "video"
  | "pdf"
  | "archive";

/** The kinds, in display order. */
export const SEARCH_TYPES: readonly SearchType[] = [
  "image",
  "document",
  "pdf",
  "music",
  "video",
  "archive",
  "folder",
];

/**
 * When a picture was taken, or anything else changed: as in the query; "" for any, or from one day to
 * another, each of which may be missing: `2026-01-31..`.
 */
export type SearchAge = "" | "today" | "7d" | "30d" | "1y" | `${string}..${string}`;

/** The times that are offered, in display order. */
export const SEARCH_AGES = ["", "today", "7d", "30d", "1y"] as const;

/** A range of days. */
const RANGE = /^(?:\d{4}-\d\d-\d\d)?\.\.(?:\d{4}-\d\d-\d\d)?$/;

/** Whether a time is from one day to another. */
export function isRange(age: SearchAge): age is `${string}..${string}` {
  return RANGE.test(age);
}

/** A bound of the size of a result: as in the query; "" for any. */
export type SearchSize = "" | "<1mb" | ">1mb" | ">10mb" | ">100mb" | ">1gb";

/** The bounds with their bytes, in display order. */
export const SEARCH_SIZES: readonly (readonly [SearchSize, number])[] = [
  ["", 0],
  ["<1mb", 1e6],
  [">1mb", 1e6],
  [">10mb", 1e7],
  [">100mb", 1e8],
  [">1gb", 1e9],
];

/** The conditions on results besides their names. */
export interface SearchFilter {
  /** The kinds, one of which must match; none for any. */
  types: ReadonlySet<SearchType>;
  age: SearchAge;
  size: SearchSize;
}

/** A filter that lets everything pass. */
export const NO_FILTER: SearchFilter = { types: new Set(), age: "", size: "" };

/** Whether a filter lets everything pass. */
export function isOpen({ types, age, size }: SearchFilter): boolean {
  return types.size === 0 && (age === "" || age === "..") && size === "";
}

/** The longest text sent; the server takes 1,000 characters, kinds included. */
export const MAX_QUERY = 900;

/** The terms of a search that are matched against names. */
export interface Terms {
  words: readonly string[];
  caseSensitive: boolean;
}

/** A quoted phrase, whose closing quote may be missing, maybe of the content; or a word. */
const WORDS = /(content:)?"([^"]*)(?:"|$)|(\S+)/gi;

/** A word at the end of a typed text, which may go on. */
const LAST_WORD = /(^|\s)[^\s":*?[\]{}]{2,}$/;

/**
 * The query to send: the typed text, and the filter.
 *
 * @param isOpen whether the last word stands for all that begin so: for contents, of which words
 * count whole otherwise
 */
export function queryOf(text: string, { types, age, size }: SearchFilter, isOpen = false): string {
  return [
    isOpen && LAST_WORD.test(text) ? `${text.trim()}*` : text.trim(),
    ...[...types].map((type) => `type:${type}`),
    age !== "" && age !== ".." && `date:${age}`,
    size && `size:${size}`,
  ].filter(Boolean).join(" ");
}

/** Whether a query would match nearly everything: one plain letter or digit. */
export function isTooShort(text: string): boolean {
  return /^[\x21-\x7e]$/.test(text.trim());
}

/** Options that are no words, as the server reads them. */
const OPTION =
  /^(type:\.*[^.].*|size:[<>]\d+(\.\d+)?([kmgt]?b)?|(?:modified|date):(\d+[hdwy]|[<>]\d{4}-\d\d-\d\d|today|[\d-]*\d(?:\.\.[\d-]*)?|\.\.[\d-]+)|content:.+)$/;

/** Whether a typed text is an empty query: no word, and no bound. */
export function isEmpty(text: string): boolean {
  return termsOf(text).words.length === 0 && !wordsIn(text).some(({ option }) => option);
}

/** The terms of a typed text; options such as `type:pdf` and patterns such as `*.jpg` are left out. */
export function termsOf(text: string): Terms {
  const words: string[] = [];
  let caseSensitive = false;
  for (const { word, option } of wordsIn(text)) {
    if (option) continue;
    const lower = word.toLowerCase();
    if (lower === "case:sensitive") caseSensitive = true;
    else if (lower === "case:insensitive") caseSensitive = false;
    else words.push(word);
  }
  return { words: words.filter((word) => word !== ""), caseSensitive };
}

function wordsIn(text: string): { word: string; option: boolean }[] {
  return [...text.matchAll(WORDS)].map(([, content, phrase, word = ""]) => ({
    word: phrase ?? word,
    option: phrase === undefined
      ? OPTION.test(word.toLowerCase()) || isGlob(word)
      : !!content && phrase !== "",
  }));
}

/** A piece of a name; `hit` when it matches. */
export interface NamePart {
  text: string;
  hit: boolean;
}

/** Splits a name into matches and the rest. Joined, the pieces are the name. */
export function partsOf(name: string, { words, caseSensitive }: Terms): NamePart[] {
  const text = name.normalize("NFC");
  const folded = fold(text, caseSensitive);
  const marked = new Array<boolean>(text.length).fill(false);
  for (const word of words) {
    const wanted = fold(word.normalize("NFC"), caseSensitive).text;
    if (wanted === "") continue;
    for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      marked.fill(true, folded.from[at], folded.from[end] ?? text.length);
    }
  }
  const parts: NamePart[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && marked[at] === marked[start]) continue;
    parts.push({ text: text.slice(start, at), hit: marked[start] ?? false });
    start = at;
  }
  return parts;
}

/** A character with what is folded together with it. */
const CLUSTER = /[^][\p{M}\uff9e\uff9f]*/gu;

/** A folded text, with the origin of each of its characters. */
function fold(text: string, caseSensitive: boolean): { text: string; from: number[] } {
  let folded = "";
  const from: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const plain = caseSensitive ? cluster : foldText(cluster);
    for (let unit = 0; unit < plain.length; unit++) from.push(index);
    folded += plain;
  }
  return { text: folded, from };
}

/** An entry that was found. */
export interface SearchHit {
  /** Relative to the searched folder; with a leading slash what is elsewhere. */
  path: string;
  /** Whether it is a folder. */
  dir: boolean;
  /** In bytes. */
  size?: number;
  /** RFC 3339. */
  modified?: string;
  /** When a picture was taken, by the clock of the camera: ISO 8601, with "Z" or without a zone. */
  taken?: string;
  /** The width of a picture in percent of its height. */
  ratio?: number;
  /** Of a file found by its content: the text around the hits, every second piece a hit. */
  snippet?: readonly string[];
  /** The line of the first hit in the snippet, from 1. */
  line?: number;
}

/** The most lines that are read at once: that takes a millisecond or so. */
const LINES = 250;

/**
 * Streams the lines of an NDJSON answer; those completed by one chunk are passed on together, or in
 * parts of {@linkcode LINES}.
 *
 * @throws SyntaxError when a line is no JSON; errors of reading the answer
 */
export async function* readHits(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<(SearchHit | SearchRest)[]> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (let start = 0; start < lines.length; start += LINES) {
      const hits = hitsOf(lines.slice(start, start + LINES));
      if (hits.length > 0) yield hits;
    }
  }
  const last = hitsOf([rest]);
  if (last.length > 0) yield last;
}

function hitsOf(lines: readonly string[]): (SearchHit | SearchRest)[] {
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

/** The query of the user. It is part of the page's address. */
export interface Asked {
  text: string;
  filter: SearchFilter;
  order: SearchOrder;
  /** Whether only the open folder is searched. */
  hereOnly: boolean;
  /** Whether contents are searched as well as names. */
  contents: boolean;
  /** Whether the results are shown as photos, rather than in a list. */
  photos: boolean;
}

/** Nothing is asked for. */
export const NOT_ASKED: Asked = {
  text: "",
  filter: NO_FILTER,
  order: "relevance",
  hereOnly: false,
  contents: false,
  photos: false,
};

/** The query of the page's address for a search: `?search=sea&type=image&in=here`. */
export function addressOf({ text, filter, order, hereOnly, contents, photos }: Asked): string {
  const query = new URLSearchParams({ search: text.trim() });
  if (filter.types.size > 0) query.set("type", [...filter.types].join());
  if (filter.age !== "") query.set("age", filter.age);
  if (filter.size !== "") query.set("size", filter.size);
  if (order !== "relevance") query.set("order", order);
  if (hereOnly) query.set("in", "here");
  if (contents) query.set("contents", "true");
  if (photos) query.set("view", "photos");
  return `?${query}`;
}

function ageOf(text: string): SearchAge {
  const age = text as SearchAge;
  return isRange(age) ? age : SEARCH_AGES.find((known) => known === text) ?? "";
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
      age: ageOf(query.get("age") ?? ""),
      size: SEARCH_SIZES.find(([size]) => size === query.get("size"))?.[0] ?? "",
    },
    order: SEARCH_ORDERS.find((order) => order === query.get("order")) ?? "relevance",
    hereOnly: query.get("in") === "here",
    contents: query.get("contents") === "true",
    photos: query.get("view") === "photos",
  };
}
