import type { MediaInfo } from "../../../../../shared/schemas/media.ts";
import { isRecord } from "../../../../../shared/schemas/read.ts";
import { shownText } from "./shown_text.ts";
import { readTakenTime } from "./taken_time.ts";

/** The facts in ffprobe's JSON; null when it is none. */
export function videoFactsOf(json: string): MediaInfo | null {
  const read = readProbed(json);
  if (!read) return null;
  const streams = Array.isArray(read.streams) ? read.streams.filter(isRecord) : [];
  const video = streams.find((stream) => stream.codec_type === "video" && !isCover(stream));
  const audio = streams.find((stream) => stream.codec_type === "audio");
  const format = isRecord(read.format) ? read.format : {};
  const tags = isRecord(format.tags) ? format.tags : {};
  return {
    ...(video ? sizeOf(video) : {}),
    duration: positive(format.duration),
    ...(video ? takenOf(tags) : {}),
    title: shownText(tags.title),
    artist: shownText(tags.artist),
    album: shownText(tags.album),
    year: yearOf(tags.date),
    codec: shownText((video ?? audio)?.codec_name),
  };
}

/** QuickTime's own date has the zone; the date of the container is in UTC, and often unset. */
function takenOf(tags: Record<string, unknown>): MediaInfo {
  const own = readTakenTime(shownText(tags["com.apple.quicktime.creationdate"]));
  if (own.taken) return own;
  const time = readTakenTime(shownText(tags.creation_time));
  return Number(time.taken?.slice(0, 4)) > 1970 ? time : {};
}

/** The facts that pdfinfo prints, a line each. */
export function pdfFactsOf(text: string): MediaInfo {
  const lines = new Map(
    text.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    }),
  );
  return {
    pages: positive(lines.get("Pages")),
    title: shownText(lines.get("Title")),
    artist: shownText(lines.get("Author")),
  };
}

function sizeOf(stream: Record<string, unknown>): MediaInfo {
  const [width, height] = [positive(stream.width), positive(stream.height)];
  if (width === undefined || height === undefined) return {};
  const [across = 1, down = 1] = String(stream.sample_aspect_ratio ?? "1:1").split(":").map(Number);
  const ratio = across > 0 && down > 0 ? across / down : 1;
  const shown = [Math.round(width * ratio), height] as const;
  const [first, second] = isLying(stream) ? [shown[1], shown[0]] : shown;
  return { width: first, height: second };
}

/** Whether a phone's video is turned by a quarter. */
function isLying(stream: Record<string, unknown>): boolean {
  const data = Array.isArray(stream.side_data_list) ? stream.side_data_list.filter(isRecord) : [];
  const tags = isRecord(stream.tags) ? stream.tags : {};
  const degrees = data.map(({ rotation }) => Number(rotation)).find(Number.isFinite) ??
    Number(tags.rotate ?? 0);
  return Math.abs(degrees) % 180 === 90;
}

function isCover({ disposition }: Record<string, unknown>): boolean {
  return isRecord(disposition) && disposition.attached_pic === 1;
}

function yearOf(value: unknown): number | undefined {
  const year = Number(/^\d{4}/.exec(String(value ?? ""))?.[0]);
  return year > 0 ? year : undefined;
}

function positive(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : undefined;
}

/** The facts that ffprobe prints as JSON; null for anything else. */
export function readProbed(json: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(json);
    return isRecord(read) ? read : null;
  } catch {
    return null;
  }
}
