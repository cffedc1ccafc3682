import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { decoderOf } from "../../../shared/text_decoder.ts";
import { formatOfSample, readUnicode } from "../text/read_text.ts";
import { FileReading } from "./file_reading.ts";

/** How much of a text a page shows before its script has come, in bytes. */
export const firstTextBytes = 32 * 1024;

/**
 * The beginning of a Unicode text, up to the end of a line: for the first view of a page, which
 * waits for no Worker and no guess of the encoding.
 *
 * @returns null for other texts, for what is no text, and without the permission to read it
 * @throws {DomainError} `forbidden`, `not_found`, `disk_error`
 */
export async function readFirstText(access: Access, path: EntryPath): Promise<string | null> {
  if (!access.may("download")) return null;
  const { bytes, isCut } = await readFirst(access, path, firstTextBytes);
  const read = readUnicode(bytes);
  if (read === "legacy" || read === null) return null;
  return isCut ? wholeLines(read.text) : read.text;
}

/** How much of a text its preview has, in bytes: more than a tile shows. */
const previewBytes = 4096;

/**
 * The beginning of a text in any encoding, for a tile of a grid.
 *
 * @returns null for what is no text
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`, `disk_error`
 */
export async function readTextPreview(access: Access, path: EntryPath): Promise<string | null> {
  access.need(`Cannot make a preview of "${path}"`, "download");
  const { bytes, isCut } = await readFirst(access, path, previewBytes);
  const format = await formatOfSample(bytes);
  if (format === null) return null;
  const { encoding, hasMark } = format;
  const text = decoderOf(encoding).decode(bytes).slice(hasMark ? 1 : 0);
  return isCut ? wholeLines(text) : text;
}

/** The first bytes of a file. */
async function readFirst(access: Access, path: EntryPath, maxBytes: number) {
  using file = new FileReading(access.read(path));
  const bytes = new Uint8Array(maxBytes);
  await file.fill(bytes);
  return { bytes: bytes.subarray(0, file.count), isCut: file.info.size > file.count };
}

/** Leaves out a line that is cut, unless there is no other. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1) || text;
}
