import type { Resource } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import type { EntryHandle } from "../access/entry_handle.ts";
import { checksum } from "./checksum.ts";
import { entryOf } from "./entries.ts";
import { factsOf } from "./folder_resource.ts";
import { findSubtitles } from "./subtitles.ts";
import { readStart, readText } from "./text_content.ts";
import { isAmbiguous } from "./types.ts";

/** What to tell of a file beyond its name, size and times. */
export interface FileOptions {
  content?: boolean;
  checksum?: string;
  signal?: AbortSignal;
}

/** A described file, and the look at the disk that the description comes from. */
export interface DescribedFile {
  resource: Resource;
  info: Deno.FileInfo;
}

/**
 * Describes what is no folder: a file, a link that leads nowhere, or a pipe, socket or device,
 * which is never opened.
 *
 * @throws {DomainError} `invalid_option`, `forbidden` for a checksum without the permission to
 * download
 */
export async function describeFile(
  access: Access,
  entry: EntryHandle,
  options: FileOptions,
): Promise<DescribedFile> {
  const { path, name } = entry;
  const sniffs = entry.isFile && isAmbiguous(name);
  const facts = factsOf(entry, sniffs ? await readStart(access, path) : undefined);
  const canModify = access.may("modify");
  const resource: Resource = entryOf(facts, canModify);
  if (options.checksum !== undefined) {
    resource.checksums = await checksum(access, path, options.checksum, options.signal);
  }
  if (resource.type === "video") resource.subtitles = findSubtitles(access, entry);
  const isText = resource.type === "text" || resource.type === "textImmutable";
  if (!isText || !options.content || !access.may("download")) return { resource, info: entry.info };
  const { text, isExact, info } = await readText(access, path);
  const read = entryOf({ ...facts, info }, canModify && isExact);
  return { resource: { ...resource, ...read, content: text }, info };
}
