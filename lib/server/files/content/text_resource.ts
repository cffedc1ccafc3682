import type { Resource } from "../../../shared/schemas/entry.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { formatName, type LineEnding, type TextFormat } from "../text/format.ts";
import { type ReadText, readText, readUnicode } from "../text/read_text.ts";
import { entryOf } from "../listing/entries.ts";
import { factsOf, lockOf } from "../listing/folder_resource.ts";
import { sniffLength } from "./types.ts";
import { type Content, type FileReading, readContent, readWhole } from "./file_reading.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";

/** A described file, with the facts that the description is based on. */
export interface DescribedFile {
  resource: Resource;
  info: Facts;
}

/** A described file without its text, and the text's format if it is text. */
export interface ContentDescription extends DescribedFile {
  format: TextFormat | null;
  lineEnding: LineEnding | null;
}

/**
 * Describes an open file by its whole content, in any encoding. A file that is not text is a blob,
 * whatever its name; a text that can't be saved without loss is immutable.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function describeAnyText(
  access: Access,
  path: EntryPath,
  file: FileReading,
  pauses: Pauses,
): Promise<ContentDescription> {
  const content = await readWhole(file, pauses);
  const read = await readText(content.bytes, pauses);
  const { resource, text } = describeContent(access, path, content, read);
  const { format, lineEnding } = text ?? { format: null, lineEnding: null };
  // Freed at once: until garbage collection the bytes of several long texts would pile up.
  content.bytes.buffer.transfer(0);
  return { resource, info: content.info, format, lineEnding };
}

/**
 * Describes a file with its text if that is short Unicode, which takes no time.
 *
 * @returns null for texts in other encodings
 */
export async function describeUnicode(
  access: Access,
  path: EntryPath,
  signal: AbortSignal = new AbortController().signal,
): Promise<DescribedFile | null> {
  const content = await readContent(access, path, new Pauses(signal));
  const read = readUnicode(content.bytes);
  if (read === "legacy") return null;
  const { info } = content;
  const { resource, text } = describeContent(access, path, content, read);
  if (!text) return { resource, info };
  const { text: written, format, lineEnding } = text;
  const encoding = formatName(format);
  return { resource: { ...resource, content: written, encoding, lineEnding }, info };
}

function describeContent(
  access: Access,
  path: EntryPath,
  { bytes, info }: Content,
  read: ReadText | null,
): { resource: Resource; text: ReadText | null } {
  const facts = { ...factsOf(access.stat(path), bytes.subarray(0, sniffLength)), info };
  const lock = lockOf(access, path);
  const canModify = access.may("modify") && !lock.readOnly && (read?.isExact ?? false);
  const resource: Resource = { ...entryOf(facts, canModify), ...lock };
  const isText = resource.type === "text" || resource.type === "textImmutable";
  if (isText && !read) return { resource: { ...resource, type: "blob" }, text: null };
  return { resource, text: isText ? read : null };
}
