import { amountReader } from "./amounts.ts";
import { type Cell, numberIn, type Row, textIn } from "./cells.ts";

/** The rows by which the head of a table is found. */
const LOOKED_AT = 100;

/** Most lines above a head: a title, an account, a period. */
const LONGEST_PREAMBLE = 30;

/** Rows below the first one that are looked at for the head: data of an export may come above it. */
const MOST_CANDIDATES = 4;

/** A row with this share of the usual number of cells may be the head. */
const FULL = 0.7;

/** A column is of one kind when this share of its cells is. */
const MOST = 0.6;

type Kind = "none" | "number" | "date" | "text";

/**
 * Finds the row that names the columns, below the lines that exports put above it.
 *
 * @returns -1 when no row does
 */
export function findHead(rows: readonly Row[]): number {
  const looked = rows.slice(0, LOOKED_AT);
  const fills = looked.map(fillOf);
  const usual = usualFill(fills);
  const full = fills.flatMap((fill, at) => fill >= FULL * usual ? [at] : []);
  const [at] = full;
  if (at === undefined || at > LONGEST_PREAMBLE) return -1;
  const named = (at: number) => headIn(looked[at] ?? [], looked.slice(at + 1));
  // A sentence with commas has as many cells as the head that comes below it.
  const isCut = fills[at + 1] !== undefined && (fills[at + 1] ?? 0) < FULL * usual;
  const isFirst = named(at) !== "none";
  if (isFirst && !isCut) return at;
  const below = full.slice(1, 1 + MOST_CANDIDATES).find((other) =>
    other <= LONGEST_PREAMBLE && named(other) === "sure" && looked[other]?.every(isWord)
  );
  return below ?? (isFirst ? at : -1);
}

function isWord(cell: Cell): boolean {
  return kindOf(cell) === "text";
}

/** How many cells a row has; the corner above the names of rows is often empty. */
function fillOf(row: Row): number {
  const filled = row.filter((cell) => textIn(cell).trim() !== "").length;
  return filled + (filled > 0 && filled === row.length - 1 && textIn(row[0]).trim() === "" ? 1 : 0);
}

/** How many cells the rows of a table have; one long row counts for more than several short ones. */
function usualFill(fills: readonly number[]): number {
  let [usual, most] = [0, 0];
  for (const [fill, { length }] of Map.groupBy(fills, (fill) => fill)) {
    const weight = length * fill * fill;
    if (length > 1 && weight > most) [usual, most] = [fill, weight];
  }
  return most > 0 ? usual : Math.min(...fills);
}

/**
 * How sure a row names the columns of those below: it has a text above numbers or dates, or a row of
 * years or of counted columns, or nothing but texts that are not repeated below.
 */
function headIn(row: Row, below: readonly Row[]): "sure" | "likely" | "none" {
  if (below.length === 0) return "none";
  const names = row.map((cell) => textIn(cell).trim());
  const filled = names.filter((name) => name !== "").length;
  if (filled === 0 || filled < row.length / 2) return "none";
  let [evidence, repeated] = [0, false];
  const labels: number[] = [];
  for (const [index, cell] of row.entries()) {
    const column = below.map((each) => each[index] ?? "").filter((each) => kindOf(each) !== "none");
    const [kind, usual] = [kindOf(cell), usualKind(column)];
    const isOther = kind !== usual && (usual === "number" || usual === "date");
    if (kind === "number" && usual !== "date") labels.push(index);
    else if (kind === "date" && usual === "date") return "none";
    else if (isOther && kind !== "none") evidence++;
    else if (column.some((each) => textIn(each).trim() === names[index])) repeated = true;
  }
  if (labels.length > 0) return areLabels(labels, row, below, evidence > 0) ? "likely" : "none";
  if (evidence > 0) return "sure";
  return repeated ? "none" : "likely";
}

/** Whether the numbers in a row are names of columns: years, months, numbers one after the other. */
function areLabels(
  columns: readonly number[],
  row: Row,
  below: readonly Row[],
  hasEvidence: boolean,
): boolean {
  const numbersIn = (each: Row) => columns.map((index) => valueOf(each[index] ?? ""));
  const values = numbersIn(row).filter((value) => value !== null);
  const runs = (sign: number) =>
    values.every((value, index) => index === 0 || sign * value > sign * (values[index - 1] ?? 0));
  const isYears = values.length > 1 && values.every(isYear) && runs(-1);
  const isRising = runs(1) || isYears;
  if (!values.every((value) => Number.isInteger(value) && value >= 0) || !isRising) return false;
  if (hasEvidence) return true;
  if (values.every(isYear)) {
    const yearly = below.filter((each) => numbersIn(each).some(isYear));
    return below.length > 1 && yearly.length * 2 < below.length;
  }
  // A table of numbers whose rows all count has no head.
  const counting = below.filter((each) => isCounting(numbersIn(each)));
  return values.length > 1 && isCounting(values) && counting.length * 2 < below.length;
}

function isCounting(values: readonly (number | null)[]): boolean {
  return values.every((value, index) => {
    const before = index === 0 ? null : values[index - 1];
    return value !== null && (index === 0 || value === (before ?? NaN) + 1);
  });
}

function isYear(value: number | null): boolean {
  return value !== null && Number.isInteger(value) && value >= 1900 && value <= 2100;
}

function usualKind(column: readonly Cell[]): Kind {
  const counts = new Map<Kind, number>();
  for (const cell of column) {
    const kind = kindOf(cell);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of counts) if (count >= MOST * column.length) return kind;
  return "none";
}

/** Words that stand for a value that is not there. */
const MISSING = /^(-+|\u2013|\u2014|n\/?a|null|none|nan|#n\/a|\?)$/i;

const DATE =
  /^(\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})\.?([T ]\d{1,2}:\d{2}.*)?$/;

function kindOf(cell: Cell): Kind {
  if (typeof cell !== "string") return cell.isDate ? "date" : "number";
  const text = cell.trim();
  if (text === "" || MISSING.test(text)) return "none";
  if (DATE.test(text) && !/^\d+\.\d+$/.test(text)) return "date";
  if (/^\d{1,2}:\d{2}(:\d{2})?$/.test(text)) return "date";
  return readAny(text) === null ? "text" : "number";
}

const readAny = amountReader([]);

function valueOf(cell: Cell): number | null {
  return numberIn(cell, readAny);
}
