import type { Resource } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import type { Facts } from "../disk/facts.ts";
import { formatName } from "../text/format.ts";
import { type ReadText, readText, readUnicode } from "../text/read_text.ts";
import { type PatientSteps, runInSlices } from "../walk/slices.ts";
import { entryOf } from "./entries.ts";
import { factsOf } from "./folder_resource.ts";
import { sniffLength } from "./sniff.ts";
import { type Content, readContent } from "./text_content.ts";

/** A described file, and the look at the disk that the description comes from. */
export interface DescribedFile {
  resource: Resource;
  info: Facts;
}

/**
 * Describes a file with its text, in whatever encoding that is. What turns out to be no text is a
 * blob, whatever its name says; what can't be written back unharmed is immutable.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `not_a_file`
 */
export function* describeText(access: Access, path: EntryPath): PatientSteps<DescribedFile> {
  const content = yield* readContent(access, path);
  const read = yield* readText(content.bytes);
  return describeContent(access, path, content, read);
}

/**
 * The same for short texts in Unicode, which take no time.
 *
 * @returns null for texts in other encodings
 */
export async function describeUnicode(
  access: Access,
  path: EntryPath,
  signal: AbortSignal = new AbortController().signal,
): Promise<DescribedFile | null> {
  const content = await runInSlices(readContent(access, path), signal);
  const read = readUnicode(content.bytes);
  return read === "legacy" ? null : describeContent(access, path, content, read);
}

function describeContent(
  access: Access,
  path: EntryPath,
  { bytes, info }: Content,
  read: ReadText | null,
): DescribedFile {
  const facts = { ...factsOf(access.stat(path), bytes.subarray(0, sniffLength)), info };
  const canModify = access.may("modify") && (read?.isExact ?? false);
  const resource: Resource = entryOf(facts, canModify);
  if (resource.type !== "text" && resource.type !== "textImmutable") return { resource, info };
  if (!read) return { resource: { ...resource, type: "blob" }, info };
  const { text, format, lineEnding } = read;
  const encoding = formatName(format);
  return { resource: { ...resource, content: text, encoding, lineEnding }, info };
}
