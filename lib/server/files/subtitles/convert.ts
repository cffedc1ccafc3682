import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type ContentInfo, statContent } from "../content/open_content.ts";
import { readContent } from "../content/file_reading.ts";
import { extensionOf, maxTextBytes } from "../content/types.ts";
import type { ContentWorker } from "../workers/workers.ts";
import { readText } from "../text/read_text.ts";
import { subtitleExtensions } from "../listing/find_subtitles.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { isAss, parseAss } from "./ass.ts";
import { parseSrt } from "./srt.ts";
import { isVtt, parseVtt, type Subtitles } from "./vtt.ts";
import { writeTime } from "./cue.ts";

/** Converted subtitles, and the state of the file that they are of. */
export interface ConvertedSubtitles {
  vtt: Uint8Array<ArrayBuffer>;
  etag: string;
  modified: Date;
}

/** Media type of converted subtitles. */
const vttType = "text/vtt; charset=utf-8";

/**
 * The facts of a conversion's answer, without reading the subtitles.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `is_folder`,
 * `not_a_file`; `not_supported` for other files by name, or over 10 MiB
 */
export function statSubtitles(access: Access, path: EntryPath): ContentInfo {
  const content = statContent(access, path);
  if (!subtitleExtensions.includes(extensionOf(content.name))) {
    const kinds = subtitleExtensions.join(", ");
    throw new DomainError("not_supported", `Cannot convert "${path}": it is not one of ${kinds}`);
  }
  if (content.size > maxTextBytes) throw tooLargeError(path);
  return { ...content, etag: etagOfVtt(content.etag), mediaType: vttType };
}

/**
 * Converts subtitles to WebVTT, in UTF-8, in the content Worker.
 *
 * @throws {DomainError} as {@link statSubtitles}; and the signal's reason
 */
export async function openSubtitles(
  access: Access,
  contentWorker: ContentWorker,
  path: EntryPath,
  signal?: AbortSignal,
): Promise<ConvertedSubtitles> {
  const { vtt, state } = await contentWorker.convert({ access, path }, { signal });
  return { vtt, etag: etagOfVtt(state.etag), modified: new Date(state.modified) };
}

/** Same as {@link openSubtitles}, run in the Worker. */
export async function convertSubtitles(
  access: Access,
  path: EntryPath,
  pauses: Pauses,
): Promise<{ vtt: string; info: Facts }> {
  const { bytes, info } = await readContent(access, path, pauses);
  if (info.size > maxTextBytes) throw tooLargeError(path);
  const read = await readText(bytes, pauses);
  if (read) return { vtt: toVtt(read.text), info };
  throw new DomainError("not_supported", `Cannot convert "${path}": it is not text`);
}

/** The ETag of the converted form; changes with the file and with the version of the conversion. */
function etagOfVtt(etag: string): string {
  return etag.replace(/"$/, '-vtt1"');
}

function tooLargeError(path: EntryPath): DomainError {
  return new DomainError("not_supported", `Cannot convert "${path}": it is over 10 MiB`);
}

/**
 * Converts subtitles of any kind to valid WebVTT. The content determines the kind, since names are
 * often wrong; other content gives an empty file.
 */
export function toVtt(text: string): string {
  if (isVtt(text)) return writeVtt(parseVtt(text));
  const cues = isAss(text) ? parseAss(text) : parseSrt(text);
  return writeVtt({ blocks: [], cues });
}

/** Serializes WebVTT, with the cues sorted by time, as the format requires. */
function writeVtt({ blocks, cues }: Subtitles): string {
  const pieces = ["WEBVTT\n", ...blocks.map((block) => `${block}\n`)];
  for (const { start, end, settings, text } of cues.toSorted((a, b) => a.start - b.start)) {
    const timing = `${writeTime(start)} --> ${writeTime(end)}`;
    pieces.push(`${timing}${settings === "" ? "" : ` ${settings}`}\n${text}\n`);
  }
  return pieces.join("\n");
}
