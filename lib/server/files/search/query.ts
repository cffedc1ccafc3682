import { DomainError } from "../../../shared/errors.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import type { SearchResult } from "../../../shared/schemas/entry.ts";
import { foldText } from "../../../shared/fold.ts";
import { globExpression, isGlob, longestLiteral } from "../../../shared/glob.ts";
import { type Needle, needleOf } from "../../core/disk/directory_records.ts";
import { ARCHIVES, DOCUMENTS } from "../../../shared/file_kinds.ts";
import { wallClock } from "../listing/taken_order.ts";
import { extensionOf, typeOfName } from "../content/types.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { dayMs, hourMs } from "../../../shared/time.ts";

/** A parsed query. Plain data that can be posted to a Worker. */
export interface Query {
  /** Texts that must all be in the name. */
  terms: string[];
  /** Patterns that the name must match: `*.jpg`, see {@linkcode isGlob}. */
  patterns: string[];
  /** Texts that must all be in the content; one may end with "*". */
  content: string[];
  isCaseSensitive: boolean;
  /** Types, one of which must match: a {@linkcode Kind}, or ".ext". */
  types: string[];
  /** The size of a file in bytes; null for any. Folders have no size. */
  size: Range | null;
  /** The modification time in milliseconds since 1970; null for any. */
  modified: Range | null;
  /**
   * When a picture or video was taken, or anything else was modified, as clocks on the wall show it:
   * in milliseconds since 1970 as if that were UTC; null for any.
   */
  date: Range | null;
  /** The zone of the clock on the wall, an IANA name. */
  timeZone: string;
}

/** Format of the results: one JSON array, or one JSON object a line (NDJSON). */
export type SearchFormat = "json" | "lines";

/** Which entries below the folder of a search it is about, and how it names them. */
export interface SearchPart {
  /** What paths of results begin with. */
  prefix: string;
  /** A folder whose entries are left out; null for none. */
  without: EntryPath | null;
}

/** All entries below the folder. */
export const wholePart: SearchPart = { prefix: "", without: null };

/** A query and the format of its results. */
export interface SearchOptions extends SearchPart {
  query: Query;
  format: SearchFormat;
  /** Whether results have their size and modification time. */
  details: boolean;
  /**
   * Whether pictures and videos are passed on whatever their date, with the place of their facts:
   * see {@linkcode PlacedResult}.
   */
  media: boolean;
}

/** A result that tells where the facts of a picture or video are kept. */
export interface PlacedResult extends SearchResult {
  /** The real path of its folder, and the state of the file (`stateText()`). */
  facts?: [folder: string, state: string];
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
 * included; a word such as `*.jpg` is a pattern for whole names; several types are alternatives, several bounds of size or time hold together.
 * `content:budget`, `content:inv*` and `content:"annual report"` are about the content. Unknown
 * options and quoted ones are terms.
 *
 * @param now the time from which `modified:30d` counts, in milliseconds since 1970
 * @param timeZone that of the days of `date:`, an IANA name
 * @throws {DomainError} `invalid_option` for an empty or too long query
 */
export function parseQuery(text: string, now = Date.now(), timeZone = "UTC"): Query {
  if (text.length > maxQueryLength) {
    throw new DomainError(
      "invalid_option",
      `Cannot search: the query is over ${maxQueryLength} characters`,
    );
  }
  const query: Query = {
    terms: [],
    patterns: [],
    content: [],
    isCaseSensitive: false,
    types: [],
    size: null,
    modified: null,
    date: null,
    timeZone,
  };
  for (const [, content, phrase, word = ""] of text.matchAll(words)) {
    if (phrase !== undefined) addTerm(content ? query.content : query.terms, phrase);
    else if (!takeOption(query, word, now)) {
      addTerm(isGlob(word) ? query.patterns : query.terms, word);
    }
  }
  const { terms, patterns, content, types, size, modified, date } = query;
  if ([terms, patterns, content, types].some(({ length }) => length > 0)) return query;
  if (size || modified || date) return query;
  throw new DomainError("invalid_option", "Cannot search: the query is empty");
}

function addTerm(terms: string[], term: string): void {
  if (term !== "") terms.push(term.toWellFormed());
}

function takeOption(query: Query, word: string, now: number): boolean {
  const [, name = "", value = ""] = /^(case|type|size|modified|date|content):(.+)$/i.exec(word) ??
    [];
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
    case "date":
      return takeRange(query, option, value.toLowerCase(), wallClock(query.timeZone)(now));
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

/** Bounds of a number, both included. */
interface Range {
  from: number;
  to: number;
}

/** Bytes of the units of a size: those of 1000, as the pages show them. */
const units: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** Milliseconds of the units of an age. */
const ages: Record<string, number> = { h: hourMs, d: dayMs, w: 7 * dayMs, y: 365 * dayMs };

/**
 * Reads a bound, and narrows the range by it: `size:>10mb`, `size:<1.5gb`, `modified:>2026-01-31`
 * (from that day on), `modified:<2026-01-31` (before it), `modified:30d` (in the last 30 days; also
 * `h`, `w`, `y`), `modified:today`, `modified:2026-01` (in that day, month or year),
 * `modified:2025..2026-01-31` (from the first to the last). Days of `modified` are those of UTC.
 *
 * @param value in lower case
 * @returns whether it is a bound
 */
function takeRange(
  ranges: Pick<Query, "size" | "modified" | "date">,
  option: "size" | "modified" | "date",
  value: string,
  now: number,
): boolean {
  const bound = option === "size" ? sizeBound(value) : timeBound(value, now);
  if (bound === null) return false;
  const { from, to } = ranges[option] ?? anything;
  ranges[option] = { from: Math.max(from, bound.from), to: Math.min(to, bound.to) };
  return true;
}

/** Whether a number is in a range; any is in none. */
export function isInRange(range: Range | null, value: number): boolean {
  return range === null || range.from <= value && value <= range.to;
}

const anything: Range = { from: -Infinity, to: Infinity };

function sizeBound(value: string): Range | null {
  const [, side, number = "", unit = "b"] = /^([<>])(\d{1,12}(?:\.\d{1,6})?)([kmgt]?b)?$/
    .exec(value) ?? [];
  if (side === undefined) return null;
  const bytes = Number(number) * (units[unit] ?? 1);
  return side === ">" ? { ...anything, from: bytes } : { ...anything, to: bytes };
}

function timeBound(value: string, now: number): Range | null {
  const [, count, unit = ""] = /^(\d{1,5})([hdwy])$/.exec(value) ?? [];
  if (count !== undefined) return { ...anything, from: now - Number(count) * (ages[unit] ?? 0) };
  const [, side, day = ""] = /^([<>])(\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
  if (side !== undefined) {
    const { from } = periodOf(day) ?? {};
    if (from === undefined) return null;
    return side === ">" ? { ...anything, from } : { ...anything, to: from - 1 };
  }
  if (value === "today") {
    const from = Math.floor(now / dayMs) * dayMs;
    return { from, to: from + dayMs - 1 };
  }
  const [first = "", last = first] = value.split("..", 2);
  const [begin, end] = [first, last].map((text) => text === "" ? anything : periodOf(text));
  if (!begin || !end || begin === end) return null;
  return { from: begin.from, to: end.to };
}

/** The time of a year, a month or a day; null for any other text. */
function periodOf(text: string): Range | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return null;
  const from = Date.parse(`${year}-${month ?? "01"}-${day ?? "01"}T00:00:00Z`);
  // A day such as 31 February is none, and no other one.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(text)) return null;
  const next = day !== undefined
    ? from + dayMs
    : month !== undefined
    ? Date.UTC(Number(year), Number(month), 1)
    : Date.UTC(Number(year) + 1, 0, 1);
  return { from, to: next - 1 };
}

/** A query prepared for matching many names. */
interface NameTest {
  /** Whether a name matches all terms, and can be of the type. */
  matches(name: string): boolean;
  /** A text that every matching name holds, if there is one. */
  needle: Needle | undefined;
  /** Whether the entry's type matches: of folders only "folder" does, of broken links none. */
  typeMatches(child: Child): boolean;
}

/** Prepares a query. */
export function nameTestOf({ terms, patterns, isCaseSensitive, types }: Query): NameTest {
  const fold = isCaseSensitive ? (text: string) => text.normalize("NFC") : foldText;
  const tests = [
    ...terms.map((term) => termTest(term, fold)),
    ...patterns.map((pattern) => patternTest(pattern, fold)),
  ];
  const hasType = typeTestOf(types);
  const takesFolders = types.includes("folder");
  // The longest is the rarest.
  const [text] = [...terms, ...patterns.map(longestLiteral)].map(fold)
    .toSorted((a, b) => b.length - a.length);
  return {
    needle: text ? needleOf(text, !isCaseSensitive) : undefined,
    matches(name) {
      const text = fold(name);
      return tests.every((test) => test(text, name)) && (takesFolders || hasType(name));
    },
    typeMatches({ name, isFolder, target }) {
      if (types.length === 0) return true;
      if (isFolder) return takesFolders;
      return (target === null || target.kind === "inside") && (!takesFolders || hasType(name));
    },
  };
}

/** Tests a folded name, or the name itself. */
type TextTest = (text: string, name: string) => boolean;

function termTest(term: string, fold: (text: string) => string): TextTest {
  const wanted = fold(term);
  if (wanted !== "") return (text) => text.includes(wanted);
  // Marks alone, which folding leaves out.
  const literal = term.normalize("NFC");
  return (_text, name) => name.normalize("NFC").includes(literal);
}

/** A pattern fits a name as a whole; or the name has it as it is, such as "report [2026]". */
function patternTest(pattern: string, fold: (text: string) => string): TextTest {
  const expression = globExpression(pattern, fold);
  const isLiteral = termTest(pattern, fold);
  return (text, name) => expression.test(text) || isLiteral(text, name);
}

function typeTestOf(types: string[]): (name: string) => boolean {
  if (types.length === 0) return () => true;
  const endings = types.filter((type) => type.startsWith(".")).map(foldText);
  const kinds = new Set<string | undefined>(types.filter((type) => !type.startsWith(".")));
  const isOfKind = (name: string) => {
    const extension = extensionOf(name).slice(1);
    return kinds.has("document") && DOCUMENTS.has(extension) ||
      kinds.has("archive") && ARCHIVES.has(extension);
  };
  return (name) => {
    if (kinds.size > 0 && (kinds.has(typeOfName(name)) || isOfKind(name))) return true;
    const text = endings.length > 0 ? foldText(name) : "";
    return endings.some((ending) => text.length > ending.length && text.endsWith(ending));
  };
}
