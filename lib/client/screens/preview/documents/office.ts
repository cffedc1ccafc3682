// Reads the rows of a spreadsheet's sheets; well kept, and works without a document's window.
import readXlsx from "read-excel-file/universal";
import { type Table, tableOf } from "../table/parse_table.ts";
import { limitedZip } from "./zip_parts.ts";

/** The part of the library for Word documents that is used. */
interface Mammoth {
  convertToHtml(input: { arrayBuffer: ArrayBuffer }): Promise<{ value: string }>;
}

/** A sheet of a spreadsheet as a table of texts. */
export interface Sheet {
  name: string;
  table: Table;
}

/** Most rows and columns of a sheet that are shown. */
const MOST_ROWS = 50_000;
const MOST_COLUMNS = 256;

/**
 * Reads a Word document as HTML, which is not safe: see `documentSheet()`.
 *
 * @throws {TooLargeError}; Error for what is no such document
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  // Well kept; its build for browsers needs nothing of Node.
  const { default: mammoth }: { default: Mammoth } = await import("mammoth/browser");
  const zip = limitedZip(bytes, (name) => !/^(customXml|word\/(fonts|embeddings))\//.test(name));
  const { value } = await mammoth.convertToHtml({ arrayBuffer: zip.buffer });
  return value;
}

/**
 * Reads the sheets of an Excel workbook.
 *
 * @param language in which dates are written
 * @throws {TooLargeError}; Error for what is no such document
 */
export async function readWorkbook(bytes: Uint8Array, language: string): Promise<Sheet[]> {
  const isNeeded = (name: string) => name.endsWith(".xml") || name.endsWith(".rels");
  const zip = limitedZip(bytes, isNeeded);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const textOf = (cell: unknown) => {
    if (cell === null || cell === undefined) return "";
    if (!(cell instanceof Date)) return String(cell);
    return Number.isNaN(cell.getTime()) ? "" : dates.format(cell);
  };
  return (await readXlsx(zip.buffer)).map(({ sheet, data }) => {
    const rows = data.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS).map(textOf));
    return { name: sheet, table: tableOf(rows) };
  });
}
