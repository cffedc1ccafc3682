// Reads the rows of a spreadsheet's sheets; well kept, and works without a document's window.
import readXlsx from "read-excel-file/universal";
import { type Table, tableOf } from "../table/parse_table.ts";
// Unzips in memory, with the size of each part known beforehand; small, and needs nothing else.
import { unzipSync, zipSync } from "fflate";

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

/** Most that the parts of a document may be together, in bytes. */
const MOST_BYTES = 150 * 2 ** 20;

/** Most parts of a document. */
const MOST_PARTS = 10_000;

/** Thrown for a document that would fill the memory. */
export class TooLargeError extends Error {}

/**
 * Unzips an office document and zips it again without compression, so that the library that reads
 * it meets no bomb: a part never becomes longer than its directory says, which is limited.
 *
 * @param isWanted tells the parts that are needed; pictures and fonts may be left out
 * @throws {TooLargeError}; Error for what is no zip
 */
function limitedZip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Uint8Array<ArrayBuffer> {
  let size = 0;
  let count = 0;
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!isWanted(name)) return false;
      size += originalSize;
      if (size > MOST_BYTES || ++count > MOST_PARTS) throw new TooLargeError();
      return true;
    },
  });
  return zipSync(parts, { level: 0 }) as Uint8Array<ArrayBuffer>;
}
