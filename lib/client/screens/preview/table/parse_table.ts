// Splits delimited text, with quotes and any usual delimiter; well kept, and needs nothing else.
import Papa from "papaparse";
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { decoderOf } from "../../../../shared/text_decoder.ts";
import { withMarks } from "../../../base/core/marks.ts";
import { type ReadPart, withoutMark } from "../large_text.ts";
import { amountReader, type ReadAmount } from "./amounts.ts";
import { numberIn, type Row, textIn } from "./cells.ts";
import { dateReader } from "./dates.ts";
import { findHead } from "./find_head.ts";

/** A table with the names of its columns apart. */
export interface Table {
  head: readonly string[];
  rows: readonly Row[];
  /** What is above the head: titles, accounts, periods. */
  notes: readonly string[];
}

/** Rows of a text, and the rest after the last whole one. */
interface ParsedRows {
  rows: string[][];
  /** The characters of a row that is not complete; "" at the end of the text. */
  rest: string;
  delimiter: string;
}

/** Most columns that are shown. */
const MOST_COLUMNS = 256;

/** Most characters of a cell that are shown: an unclosed quote makes one of the whole text. */
const LONGEST_CELL = 2_000;

/** Most rows that are kept: millions of short ones would fill the memory. */
const MOST_ROWS = 500_000;

/** Of two that split as many rows alike, the first: commas are in numbers, too. */
const DELIMITERS = [
  ...["\t", ";", "|", Papa.RECORD_SEP, Papa.UNIT_SEP, ","],
  // Of mainframes, of Hive, and the commas of Arabic and of Chinese and Japanese.
  ...["^", "~", "\u0001", "\u060c", "\uff0c"],
];

/** Most rows with an unclosed quote that are mended: what follows is split again for each. */
const MOST_UNCLOSED = 20;

/** The beginning of a text by which its delimiter is guessed, in characters. */
const GUESSED_FROM = 64 * 1024;

/** The line in which Excel looks for the delimiter: "sep=;", for a tab also by its escape. */
const SEP_LINE = /^\ufeff?\s*"?sep\s*=(?:[ \t]*(?=[^\s"]))?(\\t|[^\r\n"])"?[ \t;,|]*(?:\n|$)/i;

/** Some programs end lines with "\r\r\n", or with several ends in one file. */
const LINE_ENDS = /\r+\n|\r/g;

/**
 * Splits a delimited text into rows; empty lines are left out, and a first line that names the
 * delimiter.
 *
 * @param isWhole nothing follows: otherwise the last row may be incomplete and is returned as rest
 * @param delimiter that of the text so far; found when left out
 */
export function parseRows(text: string, isWhole: boolean, delimiter?: string): ParsedRows {
  const plain = text.includes("\r") ? text.replace(LINE_ENDS, "\n") : text;
  if (delimiter !== undefined) return splitRows(plain, isWhole, delimiter);
  const [line = "", named] = SEP_LINE.exec(plain) ?? [];
  const rest = named === undefined ? plain.replace(/^\ufeff/, "") : plain.slice(line.length);
  return splitRows(rest, isWhole, named === "\\t" ? "\t" : named ?? delimiterOf(rest));
}

function splitRows(full: string, isWhole: boolean, delimiter: string): ParsedRows {
  const text = withoutSpaces(full, delimiter);
  const rows: string[][] = [];
  const quotes = quotesIn(text.slice(0, GUESSED_FROM), delimiter);
  const split = (part: string, quoting: Quotes) => {
    let [begun, ended, isUnclosed] = [0, 0, false];
    Papa.parse<string[]>(part, {
      ...quoting,
      delimiter,
      newline: "\n",
      skipEmptyLines: true,
      step({ data, meta, errors }, parser) {
        begun = ended;
        ended = meta.cursor;
        isUnclosed = errors.some(({ code }) => code === "MissingQuotes");
        rows.push(data.slice(0, MOST_COLUMNS).map(cellIn));
        if (rows.length > MOST_ROWS) parser.abort();
      },
    });
    return { begun, isUnclosed };
  };
  let rest = text;
  let { begun, isUnclosed } = split(rest, quotes);
  // A quote that nothing closes would make one cell of all that follows: it is a character then.
  for (let mended = 0; isWhole && isUnclosed && mended < MOST_UNCLOSED; mended++) {
    const end = rest.indexOf("\n", begun);
    if (end === -1) break;
    rows.pop();
    split(rest.slice(begun, end), { quoteChar: "\0" });
    rest = rest.slice(end + 1);
    ({ begun, isUnclosed } = split(rest, quotes));
  }
  if (isWhole || rows.length === 0) return { rows, rest: isWhole ? "" : text, delimiter };
  rows.pop();
  return { rows, rest: text.slice(begun), delimiter };
}

/** How quotes are written, where not as usual. */
interface Quotes {
  quoteChar?: string;
  escapeChar?: string;
}

/** Databases write a quote within quotes as \" and some programs have single quotes alone. */
function quotesIn(sample: string, delimiter: string): Quotes {
  const other = `(?!${RegExp.escape(delimiter)})[^\\n"]`;
  const isEscaped = sample.includes('\\"') && new RegExp(String.raw`\\"${other}`).test(sample) &&
    !new RegExp(`${other}""${other}`).test(sample);
  if (isEscaped) return { escapeChar: "\\" };
  if (sample.includes('"')) return {};
  const [at, inside] = [RegExp.escape(delimiter), "[^'\\n]*"];
  const isSingle = new RegExp(`(?:^|${at})'${inside}${at}${inside}'(?:${at}|$)`, "m").test(sample);
  return isSingle ? { quoteChar: "'" } : {};
}

/** A cell without the quotes by which programs keep Excel from reading a number: `="00123"`. */
function cellIn(text: string): string {
  const [, quoted = text] = /^="([^"]*)"$/.exec(text) ?? [];
  return quoted.slice(0, LONGEST_CELL);
}

/** Quotes count only at the beginning of a cell; some programs write a space before: `a, "b,c"`. */
function withoutSpaces(text: string, delimiter: string): string {
  if (delimiter === " " || !text.includes(`${delimiter} "`)) return text;
  const isQuoted = text.includes(`"${delimiter}"`) || text.includes(`""`);
  return isQuoted
    ? text
    : text.replaceAll(new RegExp(`${RegExp.escape(delimiter)} +"`, "g"), `${delimiter}"`);
}

/** The delimiter that splits most rows into as many cells; lines above the head have none of it. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, GUESSED_FROM);
  let [best, most] = [",", 0];
  for (const delimiter of DELIMITERS) {
    if (!sample.includes(delimiter)) continue;
    const { data } = Papa.parse<string[]>(sample, { delimiter, skipEmptyLines: true });
    const counts = new Map<number, number>();
    for (const { length } of data) {
      if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    }
    const alike = Math.max(0, ...counts.values());
    if (alike > most) [best, most] = [delimiter, alike];
  }
  return best;
}

/**
 * A table of rows. One of the first may name the columns, below lines of titles; else they have
 * letters, as in spreadsheets. There are as many columns as in the widest row.
 *
 * @param placeOf the place of a column in its sheet, which its letter is for
 */
export function tableOf(rows: readonly Row[], placeOf = (index: number) => index): Table {
  const at = findHead(rows);
  const below = rows.slice(at + 1);
  const named = rows[at] ?? [];
  const width = Math.max(
    named.length,
    below.reduce((most, { length }) => Math.max(most, length), 0),
  );
  const head = Array.from(
    { length: width },
    (_, index) => index < named.length ? textIn(named[index]).trim() : letterOf(placeOf(index)),
  );
  const notes = rows.slice(0, Math.max(0, at)).map((row) =>
    row.map(textIn).filter((text) => text.trim() !== "").join(" ")
  );
  return { head, rows: below, notes };
}

/** The name of a column without one, as in spreadsheets: A, B, … Z, AA. */
function letterOf(index: number): string {
  const last = String.fromCharCode(65 + index % 26);
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

/** The reader of the numbers in a column. */
export function readerOf(rows: readonly Row[], column: number): ReadAmount {
  return amountReader(textsIn(rows, column));
}

function* textsIn(rows: readonly Row[], column: number): Generator<string> {
  for (const row of rows) {
    const cell = row[column];
    if (typeof cell === "string" && cell !== "") yield cell;
  }
}

/** Rows by a column: numbers and dates by their value and before texts, empty cells last. */
export function sortRows(
  rows: readonly Row[],
  column: number,
  ascending: boolean,
  language: string,
): readonly Row[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = ascending ? 1 : -1;
  const read = dateReader(textsIn(rows, column), language) ?? readerOf(rows, column);
  const keyed = rows.map((row) => {
    const text = textIn(row[column]).trim();
    return { row, text, number: text === "" ? null : numberIn(row[column], read) };
  });
  keyed.sort((a, b) => {
    if (a.text === "" || b.text === "") return Number(a.text === "") - Number(b.text === "");
    if (a.number !== null && b.number !== null) return sign * (a.number - b.number);
    if (a.number !== null || b.number !== null) return sign * (a.number === null ? 1 : -1);
    return sign * compare(a.text, b.text);
  });
  return keyed.map(({ row }) => row);
}

/** The bytes that are read at a time. */
const PART_BYTES = 2 ** 20;

/** A row that is longer is cut, in characters: without an end, it would be all of the file. */
const LONGEST_ROW = 4 * 2 ** 20;

/** A delimited text that is read in parts, from its beginning. */
export class LargeTable {
  readonly #read: ReadPart;
  readonly #size: number;
  readonly #table = signal<Table | null>(null);
  readonly #isFailed = signal(false);
  readonly #at = signal(0);
  readonly #rows: string[][] = [];
  readonly #decoder: Pick<TextDecoder, "decode">;
  #delimiter: string | undefined;
  #rest = "";
  #isBusy = false;

  /** The rows that were read so far; null before the first. */
  readonly table: ReadonlySignal<Table | null> = this.#table;
  /** How many bytes were read. */
  readonly at: ReadonlySignal<number> = this.#at;
  /** Whether the last part could not be read. */
  readonly isFailed: ReadonlySignal<boolean> = this.#isFailed;

  /** @param encoding as in a `Resource`: "windows-1252", "utf-16le-bom" */
  constructor(size: number, encoding: string, read: ReadPart) {
    this.#size = size;
    this.#decoder = decoderOf(withoutMark(encoding));
    this.#read = read;
  }

  /** Reads the next part. */
  async more(): Promise<void> {
    const from = this.#at.peek();
    if (this.#isBusy || (from >= this.#size && from > 0)) return;
    this.#isBusy = true;
    const to = Math.min(this.#size, from + PART_BYTES);
    const bytes = await this.#read(from, to);
    this.#isBusy = false;
    if (bytes === null) return void (this.#isFailed.value = true);
    const isLast = from + bytes.length >= this.#size;
    const text = this.#rest + withMarks(this.#decoder.decode(bytes, { stream: !isLast }));
    const isCut = this.#rest.length > LONGEST_ROW;
    const { rows, rest, delimiter } = parseRows(text, isLast || isCut, this.#delimiter);
    for (const row of rows) this.#rows.push(row);
    this.#rest = rest;
    this.#delimiter = delimiter;
    batch(() => {
      this.#isFailed.value = false;
      this.#at.value = from + bytes.length;
      this.#table.value = tableOf(this.#rows);
    });
  }
}
