import { type Parts, type Sheet, sheetsOf } from "./workbook.ts";
// Unzips in memory, with the size of each part known beforehand; small, and needs nothing else.
import { unzipSync, zipSync } from "fflate";

/** The part of the library for Word documents that is used. */
interface Mammoth {
  convertToHtml(
    input: { arrayBuffer: ArrayBuffer },
    options: { styleMap: readonly string[] },
  ): Promise<{ value: string }>;
}

/** Styles of paragraphs that every word processor has, and the library does not know. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh > em:fresh",
  ...["Quote", "Intense Quote", "Quotations", "Block Text"].map((name) =>
    `p[style-name='${name}'] => blockquote > p:fresh`
  ),
  ...["HTML Preformatted", "Preformatted Text", "Source Code"].map((name) =>
    `p[style-name='${name}'] => pre:separator('\n')`
  ),
];

/**
 * Reads a Word document as HTML, which is not safe: see `documentSheet()`.
 *
 * @throws {TooLargeError}; Error for what is no such document
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  // Well kept; its build for browsers needs nothing of Node.
  const { default: mammoth }: { default: Mammoth } = await import("mammoth/browser");
  const parts = limitedParts(
    bytes,
    (name) => !/^(customXml|word\/(fonts|embeddings))\//.test(name),
  );
  // Zipped again without compression, so that the library meets no bomb.
  const zip = zipSync(parts, { level: 0 }) as Uint8Array<ArrayBuffer>;
  const { value } = await mammoth.convertToHtml({ arrayBuffer: zip.buffer }, { styleMap: STYLES });
  return value;
}

/**
 * Finds the visible sheets of an Excel workbook.
 *
 * @param language in which dates are written
 * @throws {TooLargeError}; Error for what is no such document
 */
export function readWorkbook(bytes: Uint8Array, language: string): Sheet[] {
  const isNeeded = (name: string) => name.endsWith(".xml") || name.endsWith(".rels");
  return sheetsOf(limitedParts(bytes, isNeeded), language);
}

/** Most that the parts of a document may be together, in bytes. */
const MOST_BYTES = 150 * 2 ** 20;

/** Most parts of a document. */
const MOST_PARTS = 10_000;

/** Thrown for a document that would fill the memory. */
export class TooLargeError extends Error {}

/**
 * Unzips an office document, within limits: a part never becomes longer than its directory says.
 *
 * @param isWanted tells the parts that are needed; pictures and fonts may be left out
 * @throws {TooLargeError}; Error for what is no zip
 */
function limitedParts(bytes: Uint8Array, isWanted: (name: string) => boolean): Parts {
  let size = 0;
  let count = 0;
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!isWanted(name)) return false;
      size += originalSize;
      if (size > MOST_BYTES || ++count > MOST_PARTS) throw new TooLargeError();
      return true;
    },
  });
}
