// Writes numbers in the formats of spreadsheets; well kept, and needs nothing else.
import { format } from "numfmt";
import { SaxesParser } from "saxes";
import { decoderOf } from "../../../../shared/text_decoder.ts";
import { dayMs } from "../../../../shared/time.ts";
import type { Cell, NumberCell } from "../table/cells.ts";
import { type Table, tableOf } from "../table/parse_table.ts";
import { type Format, formatOf } from "./cell_formats.ts";

/** A sheet of a spreadsheet as a table. */
export interface Sheet {
  name: string;
  /** Reads it; its beginning where it is too large or broken. */
  table(): SheetTable;
  /** Reads it in short steps, so that the page stays alive: its first rows, then all of it. */
  steps(): Generator<SheetTable | null, void>;
}

/** The rows and columns of a sheet that are not hidden. */
export interface SheetTable extends Table {
  /** How many others have something in them. */
  hidden: { rows: number; columns: number };
}

/** The parts of a document by their names in its zip. */
export type Parts = Readonly<Record<string, Uint8Array>>;

/** Most rows, columns and cells of a sheet that are shown. */
const MOST_ROWS = 50_000;
const MOST_COLUMNS = 256;
const MOST_CELLS = 1_000_000;

/** Most texts that cells refer to. */
const MOST_STRINGS = 1_000_000;

/** Most characters of a cell that are shown. */
const LONGEST_CELL = 2_000;

/** What the cells of all sheets refer to. */
interface Book {
  strings: readonly string[];
  /** Formats by the numbers of styles. */
  formats: readonly Format[];
  /** Days are counted from 1904, as on old Macs. */
  isFrom1904: boolean;
  language: string;
}

/**
 * Finds the sheets of an Excel workbook, but for hidden ones.
 *
 * @param language in which numbers and dates are written
 * @throws {Error} for what is no workbook
 */
export function sheetsOf(zipped: Parts, language: string): Sheet[] {
  const parts = partsByPath(zipped);
  const main = Object.values(relationsOf(parts, "")).find(({ type }) => type === "officeDocument");
  const workbook = main?.target ?? "xl/workbook.xml";
  const relations = relationsOf(parts, workbook);
  const partOf = (type: string) => {
    const found = Object.values(relations).find((relation) => relation.type === type);
    return found && parts[keyOf(found.target)];
  };
  let isFrom1904 = false;
  const found: { name: string; isHidden: boolean; target: string }[] = [];
  readXml(parts[keyOf(workbook)], {
    open(name, attributes) {
      if (name === "workbookPr") isFrom1904 = isOn(attributes.date1904);
      if (name !== "sheet") return;
      const { name: title = "", state = "visible" } = attributes;
      const [, id = ""] = Object.entries(attributes).find(([key]) => key.endsWith(":id")) ?? [];
      const relation = relations[id];
      if (relation?.type !== "worksheet") return;
      found.push({ name: title, isHidden: state !== "visible", target: relation.target });
    },
  });
  if (found.length === 0) throw new Error("Cannot read the workbook: it has no sheets");
  const book = {
    strings: readStrings(partOf("sharedStrings")),
    formats: readFormats(partOf("styles")),
    isFrom1904,
    language,
  };
  const visible = found.filter(({ isHidden }) => !isHidden);
  return (visible.length > 0 ? visible : found).map(({ name, target }) => {
    let whole: SheetTable | null = null;
    function* steps(): Generator<SheetTable | null, void> {
      if (!whole) {
        const read = new VisibleCells();
        const { rows } = read;
        const reading = readRows(parts[keyOf(target)], book, read);
        let isShown = false;
        while (!reading.next().done) {
          yield isShown || rows.length === 0 ? null : read.table();
          isShown ||= rows.length > 0;
        }
        whole = read.table();
      }
      yield whole;
    }
    return { name, steps, table: () => [...steps()].at(-1) ?? new VisibleCells().table() };
  });
}

/** Excel finds parts in any case, and some programs write backslashes. */
function keyOf(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}

function partsByPath(parts: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).map(([path, bytes]) => [keyOf(path), bytes]));
}

interface Relation {
  /** The last word of its type: "worksheet". */
  type: string;
  target: string;
}

/** What a part of a document refers to, by the ids of the relations. */
function relationsOf(parts: Parts, of: string): Record<string, Relation> {
  const folder = of.slice(0, of.lastIndexOf("/") + 1);
  const relations: Record<string, Relation> = Object.create(null);
  readXml(parts[keyOf(`${folder}_rels/${of.slice(folder.length)}.rels`)], {
    open(name, attributes) {
      if (name !== "Relationship") return;
      const { Id = "", Type = "", Target = "" } = attributes;
      // An address that is below no server: the way up ends at the root.
      const target = URL.parse(Target, `zip://x/${folder}`)?.pathname.slice(1) ?? "";
      relations[Id] = { type: Type.slice(Type.lastIndexOf("/") + 1), target };
    },
  });
  return relations;
}

interface Handlers {
  open?(name: string, attributes: Readonly<Record<string, string | undefined>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Thrown where the rest of a part is not read. */
const enough = Symbol("enough");

/** Characters that are parsed at a time: some 50 ms. */
const PARSED_AT_ONCE = 2 ** 18;

/**
 * Reads XML up to its end or first fault. Names of elements are without prefixes, and no entities
 * are defined.
 */
function readXml(bytes: Uint8Array | undefined, handlers: Handlers): void {
  const reading = xmlSteps(bytes, handlers);
  while (!reading.next().done);
}

/** The same in steps. */
function* xmlSteps(
  bytes: Uint8Array | undefined,
  { open, close, text }: Handlers,
): Generator<void, void> {
  if (!bytes) return;
  const parser = new SaxesParser();
  const localName = (name: string) => name.slice(name.indexOf(":") + 1);
  parser.on("opentag", ({ name, attributes }) => {
    open?.(localName(name), attributes as Record<string, string>);
  });
  parser.on("closetag", ({ name }) => close?.(localName(name)));
  parser.on("text", (found) => text?.(found));
  parser.on("cdata", (found) => text?.(found));
  parser.on("error", () => {
    throw enough;
  });
  const decoder = decoderOf(xmlEncodingOf(bytes));
  try {
    for (let at = 0; at < bytes.length; at += PARSED_AT_ONCE) {
      parser.write(decoder.decode(bytes.subarray(at, at + PARSED_AT_ONCE), { stream: true }));
      yield;
    }
    parser.close();
  } catch (error) {
    if (error !== enough) throw error;
  }
}

function xmlEncodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true" || value === "on";
}

/** Collects the text of `t` elements; that of readings beside Japanese text is left out. */
class TextCollector {
  #text = "";
  #isText = false;
  #isReading = false;

  open(name: string): void {
    if (name === "rPh") this.#isReading = true;
    if (name === "t") this.#isText = true;
  }

  close(name: string): void {
    if (name === "rPh") this.#isReading = false;
    if (name === "t") this.#isText = false;
  }

  add(text: string): void {
    if (!this.#isText || this.#isReading || this.#text.length > LONGEST_CELL) return;
    this.#text += text;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return shortText(text);
  }
}

/** Characters that XML lacks are written as "_x000D_". */
function shortText(text: string): string {
  const plain = text.replace(
    /_x([0-9a-f]{4})_/gi,
    (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain.slice(0, LONGEST_CELL);
}

function readStrings(bytes: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  const collector = new TextCollector();
  readXml(bytes, {
    open: (name) => collector.open(name),
    text: (text) => collector.add(text),
    close(name) {
      collector.close(name);
      if (name === "si" && strings.push(collector.take()) > MOST_STRINGS) throw enough;
    },
  });
  return strings;
}

function readFormats(bytes: Uint8Array | undefined): Format[] {
  const codes = new Map<number, string>();
  const formats: Format[] = [];
  let isOfCells = false;
  readXml(bytes, {
    open(name, attributes) {
      if (name === "cellXfs") isOfCells = true;
      if (name === "numFmt") {
        const { numFmtId, formatCode = "" } = attributes;
        codes.set(Number(numFmtId), formatCode);
      } else if (isOfCells && name === "xf") {
        formats.push(formatOf(Number(attributes.numFmtId ?? 0), codes));
      }
    },
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return formats;
}

/** Collects the cells of a sheet whose rows and columns are not hidden. */
class VisibleCells {
  /** Those that have something in them, each up to its last cell. */
  readonly rows: Cell[][] = [];
  readonly #hidden = new Set<number>();
  /** The hidden columns and rows that have something in them. */
  readonly #left = new Set<number>();
  #leftRows = 0;

  hideColumns(first: number, last: number): void {
    for (let at = first; at <= Math.min(last, MOST_COLUMNS); at++) this.#hidden.add(at - 1);
  }

  /** Adds a row. @returns how many rows there are */
  add(cells: readonly Cell[], isHidden: boolean): number {
    if (isHidden) this.#leftRows++;
    else this.rows.push(this.#hidden.size === 0 ? [...cells] : this.#visibleOf(cells));
    return this.rows.length + this.#leftRows;
  }

  table(): SheetTable {
    const hidden = { rows: this.#leftRows, columns: this.#left.size };
    const shown = Array.from({ length: MOST_COLUMNS }, (_, column) => column)
      .filter((column) => !this.#hidden.has(column));
    return { ...tableOf([...this.rows], (index) => shown[index] ?? index), hidden };
  }

  #visibleOf(cells: readonly Cell[]): Cell[] {
    return cells.filter((cell, column) => {
      if (!this.#hidden.has(column)) return true;
      if (cell !== "") this.#left.add(column);
      return false;
    });
  }
}

/** Adds the rows that have something in them, each up to its last cell, in steps. */
function* readRows(
  bytes: Uint8Array | undefined,
  book: Book,
  read: VisibleCells,
): Generator<void, void> {
  const shown = numberWriter(book);
  const collector = new TextCollector();
  let row: Cell[] = [];
  let isHidden = false;
  let [column, count, value, isValue] = [0, 0, "", false];
  let [type, style] = ["n", 0];
  const end = () => {
    const text = collector.take();
    const cell = type === "inlineStr" ? text : cellOf(type, value, style);
    if (cell === "" || column >= MOST_COLUMNS) return;
    for (; row.length < column; count++) row.push("");
    row[column] = cell;
    if (++count > MOST_CELLS) throw enough;
  };
  const cellOf = (type: string, value: string, style: number): Cell => {
    switch (type) {
      case "s":
        return book.strings[Number(value)] ?? "";
      case "b":
        return value === "" ? "" : isOn(value) ? "TRUE" : "FALSE";
      case "str":
      case "e":
        return shortText(value);
      case "d": {
        const time = Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
        return Number.isNaN(time) ? shortText(value) : shown(serialOf(time, book), style, true);
      }
    }
    const number = Number(value);
    return value.trim() === "" || !Number.isFinite(number)
      ? shortText(value)
      : shown(number, style);
  };
  const endRow = () => {
    const count = row.length > 0 ? read.add(row, isHidden) : 0;
    row = [];
    column = -1;
    isHidden = false;
    if (count >= MOST_ROWS) throw enough;
  };
  yield* xmlSteps(bytes, {
    open(name, attributes) {
      collector.open(name);
      if (name === "row") [column, isHidden] = [-1, isOn(attributes.hidden)];
      if (name === "col" && isOn(attributes.hidden)) {
        read.hideColumns(Number(attributes.min), Number(attributes.max));
      }
      if (name === "v") isValue = true;
      if (name !== "c") return;
      const { r, t = "n", s = "0" } = attributes;
      column = columnOf(r) ?? column + 1;
      [type, style, value] = [t, Number(s), ""];
    },
    text(text) {
      if (isValue) value = (value + text).slice(0, LONGEST_CELL * 2);
      else collector.add(text);
    },
    close(name) {
      collector.close(name);
      if (name === "v") isValue = false;
      else if (name === "c") end();
      else if (name === "row") endRow();
    },
  });
  if (row.length > 0) read.add(row, isHidden);
}

/** The number of a column by the name of a cell: 27 for "AB12"; null without one. */
function columnOf(name: string | undefined): number | null {
  const [letters] = /^[A-Z]{1,3}/i.exec(name ?? "") ?? [];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Days between the two beginnings of the calendar. */
const DAYS_TO_1904 = 1_462;

/** Day 0 of the calendar that counts from 1900. */
const ZERO_MS = Date.UTC(1899, 11, 30);

function serialOf(time: number, { isFrom1904 }: Book): number {
  return (time - ZERO_MS) / dayMs - (isFrom1904 ? DAYS_TO_1904 : 0);
}

/** Makes a function that writes numbers in the format of a style. */
function numberWriter(
  { formats, isFrom1904, language }: Book,
): (number: number, style: number, isDate?: boolean) => NumberCell {
  const system = {
    date: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }),
    stamp: new Intl.DateTimeFormat(language, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: "UTC",
    }),
  };
  const general: Format = { code: "General", isDate: false };
  const plainDate: Format = { code: "yyyy-mm-dd", isDate: true, ofSystem: "date" };
  return (number, style, isDate = false) => {
    const known = formats[style] ?? general;
    const { code, isDate: isOfDates, ofSystem } = isDate && !known.isDate ? plainDate : known;
    // A duration, "[h]:mm", is the same in either calendar.
    const isDay = isOfDates && isFrom1904 && !/\[[hms]+\]/i.test(code);
    const days = isDay ? number + DAYS_TO_1904 : number;
    const text = ofSystem && days >= 1
      ? system[ofSystem].format(ZERO_MS + Math.round(days * dayMs / 1000) * 1000)
      : written(code, days, language);
    return { text, number, isDate: isOfDates };
  };
}

function written(code: string, number: number, locale: string): string {
  if (code === "General" && Number.isInteger(number) && Math.abs(number) < 1e11) {
    return String(number);
  }
  try {
    return format(code, number, { locale }).trim();
  } catch {
    return String(number);
  }
}
