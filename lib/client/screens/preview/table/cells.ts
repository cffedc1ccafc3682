import type { ReadAmount } from "./amounts.ts";

/** A number as a spreadsheet shows it. */
export interface NumberCell {
  text: string;
  /** By which the column is sorted. */
  number: number;
  /** It is a date, or a time. */
  isDate: boolean;
}

/** A cell of a table: its text, with its value where that is known. */
export type Cell = string | NumberCell;

/** A row of a table. */
export type Row = readonly Cell[];

/** The text of a cell; "" for none. */
export function textIn(cell: Cell | undefined): string {
  return typeof cell === "object" ? cell.text : cell ?? "";
}

/** The number in a cell; null for a text. */
export function numberIn(cell: Cell | undefined, read: ReadAmount): number | null {
  return typeof cell === "object" ? cell.number : read(cell ?? "");
}
