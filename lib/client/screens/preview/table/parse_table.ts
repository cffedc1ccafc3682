// Splits delimited text, with quotes and any usual delimiter; well kept, and needs nothing else.
import Papa from "papaparse";
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { encodingOf } from "../large_text.ts";

/** Cells of a delimited text, row by row. */
type Cells = readonly (readonly string[])[];

/** A table with the names of its columns apart. */
export interface Table {
  head: readonly string[];
  rows: Cells;
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

const DELIMITERS = [",", "\t", ";", "|", Papa.RECORD_SEP, Papa.UNIT_SEP];

/**
 * Splits a delimited text into rows; empty lines are left out.
 *
 * @param isWhole nothing follows: otherwise the last row may be incomplete and is returned as rest
 * @param delimiter that of the text so far; guessed when left out
 */
export function parseRows(text: string, isWhole: boolean, delimiter?: string): ParsedRows {
  const rows: string[][] = [];
  let begun = 0;
  let ended = 0;
  let used = delimiter ?? ",";
  Papa.parse<string[]>(text, {
    delimiter,
    delimitersToGuess: DELIMITERS,
    skipEmptyLines: true,
    step({ data, meta }) {
      used = meta.delimiter;
      begun = ended;
      ended = meta.cursor;
      rows.push(data.slice(0, MOST_COLUMNS).map((cell) => cell.slice(0, LONGEST_CELL)));
    },
  });
  if (isWhole || rows.length === 0) {
    return { rows, rest: isWhole ? "" : text, delimiter: used };
  }
  rows.pop();
  return { rows, rest: text.slice(begun), delimiter: used };
}

/**
 * A table of rows, whose first one may name the columns: when all its cells are different texts and
 * none is a number.
 */
export function tableOf(rows: Cells): Table {
  const [first = [], ...rest] = rows;
  if (hasNames(first) && rest.length > 0) return { head: first, rows: rest };
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return { head: Array.from({ length: width }, (_, index) => letterOf(index)), rows };
}

function hasNames(row: readonly string[]): boolean {
  const names = row.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return names.length > 0 && names.length >= row.length / 2 &&
    names.every((name) => numberOf(name) === null) && new Set(names).size === names.length;
}

/** The name of a column without one, as in spreadsheets: A, B, … Z, AA. */
function letterOf(index: number): string {
  const last = String.fromCharCode(65 + index % 26);
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

/** Rows by a column: numbers by their size where both cells are numbers, empty cells last. */
export function sortRows(
  rows: Cells,
  column: number,
  ascending: boolean,
  language: string,
): Cells {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = ascending ? 1 : -1;
  const keyed = rows.map((row) => {
    const text = row[column]?.trim() ?? "";
    return { row, text, number: numberOf(text) };
  });
  keyed.sort((a, b) => {
    if (a.text === "" || b.text === "") return Number(a.text === "") - Number(b.text === "");
    const isNumeric = a.number !== null && b.number !== null;
    return sign * (isNumeric ? (a.number ?? 0) - (b.number ?? 0) : compare(a.text, b.text));
  });
  return keyed.map(({ row }) => row);
}

/**
 * The number that a cell shows; null for other texts. A decimal comma counts as a point, and digits
 * may be in groups of three.
 */
export function numberOf(text: string): number | null {
  const plain = text.replace(/[\s'%]/g, "");
  if (/^[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?$/i.test(plain)) {
    return Number(plain.replace(",", "."));
  }
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)) return Number(plain.replaceAll(",", ""));
  if (!/^[-+]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(plain)) return null;
  return Number(plain.replaceAll(".", "").replace(",", "."));
}

/** The bytes that are read at a time. */
const PART_BYTES = 2 ** 20;

/** A delimited text that is read in parts, from its beginning. */
export class LargeTable {
  readonly #read: (from: number, to: number) => Promise<Uint8Array | null>;
  readonly #size: number;
  readonly #table = signal<Table | null>(null);
  readonly #isFailed = signal(false);
  readonly #at = signal(0);
  readonly #rows: string[][] = [];
  #decoder: TextDecoder | null = null;
  #delimiter: string | undefined;
  #rest = "";
  #isBusy = false;

  /** The rows that were read so far; null before the first. */
  readonly table: ReadonlySignal<Table | null> = this.#table;
  /** How many bytes were read. */
  readonly at: ReadonlySignal<number> = this.#at;
  /** Whether the last part could not be read. */
  readonly isFailed: ReadonlySignal<boolean> = this.#isFailed;

  /** @param read reads bytes of the file, `to` exclusive; null on failure */
  constructor(size: number, read: (from: number, to: number) => Promise<Uint8Array | null>) {
    this.#size = size;
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
    this.#decoder ??= new TextDecoder(encodingOf(bytes, !isLast));
    const text = this.#rest + this.#decoder.decode(bytes, { stream: !isLast });
    const { rows, rest, delimiter } = parseRows(text, isLast, this.#delimiter);
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
