import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { Facts } from "../disk/facts.ts";
import { DomainError } from "../../shared/errors.ts";
import { type ContentInfo, statContent } from "../files/content/open_content.ts";
import { readContent } from "../files/content/text_content.ts";
import { extensionOf, largestText } from "../files/content/types.ts";
import type { ContentWorker, Reading } from "../workers/content_worker.ts";
import { readText } from "../text/read_text.ts";
import { subtitleExtensions } from "../files/listing/find_subtitles.ts";
import { toVtt } from "./to_vtt.ts";
import type { Pauses } from "../concurrency/pauses.ts";

/** What subtitles are turned into. */
const vttType = "text/vtt; charset=utf-8";

/**
 * Tells of subtitles what their conversion would say, without reading them.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `is_folder`,
 * `not_a_file`; `not_supported` for what is none by its name, or over 10 MiB
 */
export function statSubtitles(access: Access, path: EntryPath): ContentInfo {
  const content = statContent(access, path);
  if (!subtitleExtensions.includes(extensionOf(content.name))) {
    const kinds = subtitleExtensions.join(", ");
    throw new DomainError("not_supported", `Cannot convert "${path}": it is none of ${kinds}`);
  }
  if (content.size > largestText) throw tooLarge(path);
  return { ...content, etag: etagOfVtt(content.etag), mediaType: vttType };
}

/**
 * Turns subtitles into WebVTT, in UTF-8, in the reader.
 *
 * @throws {DomainError} as {@link statSubtitles}; and the signal's reason
 */
export async function openSubtitles(
  access: Access,
  contentWorker: ContentWorker,
  path: EntryPath,
  signal?: AbortSignal,
): Promise<Reading> {
  const { made, etag, modified } = await contentWorker.convert(access, path, signal);
  return { made, etag: etagOfVtt(etag), modified };
}

/** The same, where the reader does it. */
export async function convertSubtitles(
  access: Access,
  path: EntryPath,
  pauses: Pauses,
): Promise<{ vtt: string; info: Facts }> {
  const { bytes, info } = await readContent(access, path, pauses);
  if (info.size > largestText) throw tooLarge(path);
  const read = await readText(bytes, pauses);
  if (read) return { vtt: toVtt(read.text), info };
  throw new DomainError("not_supported", `Cannot convert "${path}": it is no text`);
}

/** The tag of the converted form; it changes with the file, and when it is converted in another way. */
function etagOfVtt(etag: string): string {
  return etag.replace(/"$/, '-vtt1"');
}

function tooLarge(path: EntryPath): DomainError {
  return new DomainError("not_supported", `Cannot convert "${path}": it is over 10 MiB`);
}
