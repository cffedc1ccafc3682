import { joined } from "../../../shared/joined.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { formatName, type LineEnding, type TextFormat } from "../text/format.ts";
import { formatOfSample, type ReadText, readText, readUnicode } from "../text/read_text.ts";
import { entryOf } from "../listing/entries.ts";
import { factsOf, lockOf } from "../listing/folder_resource.ts";
import { hasSignature, maxTextBytes, sniffLength } from "./types.ts";
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
 * whatever its name; a text that can't be saved without loss is immutable. Of a text that is too
 * large to be sent, the encoding is told.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function describeAnyText(
  access: Access,
  path: EntryPath,
  file: FileReading,
  pauses: Pauses,
): Promise<ContentDescription> {
  if (file.info.size > maxTextBytes) return await describeLargeText(access, path, file, pauses);
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

/** The samples of a large text: its beginning, and parts that lie evenly in the rest, in bytes. */
const firstSample = 1024 * 1024;
const nextSample = 64 * 1024;
const sampleCount = 32;

/**
 * Describes a text over 10 MiB, by samples: the beginning of a log is often plain ASCII, or missing
 * where it was cut while it was written.
 */
async function describeLargeText(
  access: Access,
  path: EntryPath,
  file: FileReading,
  pauses: Pauses,
): Promise<ContentDescription> {
  const { info } = file;
  const first = await readSample(file, 0, firstSample);
  const format = hasSignature(first) ? null : await formatOfLarge(file, first, pauses);
  const facts = { ...factsOf(access.stat(path), first.subarray(0, sniffLength)), info };
  const lock = lockOf(access, path);
  const resource: Resource = { ...entryOf(facts, false), ...lock };
  if (format && resource.type === "blob") resource.encoding = formatName(format);
  return { resource, info, format: null, lineEnding: null };
}

async function formatOfLarge(
  file: FileReading,
  first: Uint8Array<ArrayBuffer>,
  pauses: Pauses,
): Promise<TextFormat | null> {
  const format = await formatOfSample(first);
  if (format && /^utf-(16|32)/.test(format.encoding)) return format;
  const parts = [wholeLines(first, true)];
  for (let number = 1; number <= sampleCount; number++) {
    const at = Math.floor((file.info.size - nextSample) * number / sampleCount);
    parts.push(wholeLines(await readSample(file, at, nextSample)));
    if (pauses.isDue) await pauses.pause();
  }
  return await formatOfSample(joined(parts));
}

async function readSample(
  file: FileReading,
  at: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  file.seek(at);
  await file.fill(bytes);
  return bytes.subarray(0, file.count);
}

/** Leaves out what is before the first line end and after the last; all of it is kept without one. */
function wholeLines(bytes: Uint8Array<ArrayBuffer>, isFirst = false): Uint8Array<ArrayBuffer> {
  const start = isFirst ? 0 : bytes.indexOf(newline) + 1;
  const end = bytes.lastIndexOf(newline) + 1;
  return end > start ? bytes.subarray(start, end) : bytes;
}

const newline = 0x0a;

function describeContent(
  access: Access,
  path: EntryPath,
  { bytes, info }: Content,
  found: ReadText | null,
): { resource: Resource; text: ReadText | null } {
  // Some formats consist of texts, and begin with what no text does.
  const read = found?.isExact === false && hasSignature(bytes) ? null : found;
  const facts = { ...factsOf(access.stat(path), bytes.subarray(0, sniffLength)), info };
  const lock = lockOf(access, path);
  const canModify = access.may("modify") && !lock.readOnly && (read?.isExact ?? false);
  const resource: Resource = { ...entryOf(facts, canModify), ...lock };
  const isText = resource.type === "text" || resource.type === "textImmutable";
  if (isText && !read) return { resource: { ...resource, type: "blob" }, text: null };
  return { resource, text: isText ? read : null };
}
