import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { readUnicode } from "../text/read_text.ts";
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
  using file = new FileReading(access.read(path));
  const bytes = new Uint8Array(firstTextBytes);
  await file.fill(bytes);
  const isCut = file.info.size > file.count;
  const read = readUnicode(bytes.subarray(0, file.count));
  if (read === "legacy" || read === null) return null;
  const end = isCut ? read.text.lastIndexOf("\n") + 1 : 0;
  return end > 0 ? read.text.slice(0, end) : read.text;
}
