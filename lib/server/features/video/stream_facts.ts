import { isRecord } from "../../../shared/schemas/read.ts";
import type { StreamInfo } from "../../../shared/schemas/stream.ts";
import { readProbed } from "../previews/media/reading/program_facts.ts";
import { shownText } from "../previews/media/reading/shown_text.ts";

/** The tracks of a file, and where its clock begins. */
export interface StreamFacts {
  info: StreamInfo;
  /** In seconds. */
  startTime: number;
  /** Whether the container has an index of keyframes. */
  hasIndex: boolean;
  /** Whether its duration has to be read, and FFmpeg finds places in it. */
  isUnmeasured: boolean;
  /** When the pictures end, in seconds; `Infinity` where they last as long as the film. */
  picturesEnd: number;
  /** When each audio track ends, in seconds; `Infinity` for one that lasts as long as the film. */
  soundEnds: readonly number[];
  /** Whether they do end there. */
  areEndsSure: boolean;
}

/** The longest film, in seconds: a day. */
export const maxDuration = 24 * 60 * 60;
/** How long before a film a track ends without notice, in seconds. */
const unnoticedSeconds = 0.3;
/** Most tracks of a kind: of more, the first are told. */
const maxTracks = 32;

/** Containers with an index of keyframes, from which pictures can be copied. */
const indexed = /(^|,)(mov|mp4|matroska|webm)(,|$)/;

/** Containers whose ends FFmpeg reads, to know when each track ends. */
const measured = /^(mpegts|mpeg)$/;

/** Codecs of pictures that are copied where the browser has them. */
const copiedVideo = new Set(["h264", "hevc", "av1", "vp9"]);

const textSubtitles = new Set([
  ...["subrip", "ass", "ssa", "webvtt", "mov_text", "text", "eia_608", "microdvd", "subviewer"],
  ...["sami", "realtext", "stl", "jacosub", "mpl2", "pjs", "vplayer"],
]);

/** The facts in ffprobe's JSON; null when it is none, and for files without sound and pictures. */
export function streamFactsOf(json: string): StreamFacts | null {
  const read = readProbed(json);
  const streams = read && Array.isArray(read.streams) ? read.streams.filter(isRecord) : [];
  const format = read && isRecord(read.format) ? read.format : {};
  const ofType = (type: string) => streams.filter(({ codec_type }) => codec_type === type);
  const video = ofType("video").find((stream) => !has(stream, "attached_pic"));
  const audio = ofType("audio").slice(0, maxTracks);
  if (!video && audio.length === 0) return null;
  const container = shownText(format.format_name) ?? "";
  const hasIndex = indexed.test(container);
  const known = [format, ...(video ? [video] : []), ...audio].flatMap(durationsOf)
    .filter((seconds) => seconds > 0 && Number.isFinite(seconds));
  const info: StreamInfo = {
    container,
    // FFmpeg writes 49 days into Matroska files with some subtitles of pictures.
    duration: known.find((seconds) => seconds <= maxDuration) ?? known[0] ?? 0,
    ...video && {
      video: {
        codec: codecOf(video),
        ...named("codecs", videoCodecs(video)),
        width: size(video.width),
        height: size(video.height),
        copies: hasIndex && copiedVideo.has(codecOf(video)),
      },
    },
    audio: audio.map((stream) => ({
      ...trackOf(stream),
      ...named("codecs", audioCodecs(stream)),
      channels: size(stream.channels),
    })),
    subtitles: ofType("subtitle").slice(0, maxTracks).map((stream) => ({
      ...trackOf(stream),
      isText: textSubtitles.has(codecOf(stream)),
      ...has(stream, "forced") && { isForced: true },
    })),
  };
  const startTime = Number(format.start_time) || 0;
  const earlyEnd = (stream: Record<string, unknown>) => {
    const end = endOf(stream, startTime);
    const isEarly = end === 0 || (end > 0 && end < info.duration - unnoticedSeconds);
    return isEarly ? end : Infinity;
  };
  const picturesEnd = video && hasIndex ? earlyEnd(video) || Infinity : Infinity;
  const areEndsSure = hasIndex || measured.test(container);
  const isUnmeasured = info.duration === 0 && (hasIndex || /^(mpegvideo|asf)$/.test(container));
  return {
    ...{ info, startTime, hasIndex, picturesEnd, isUnmeasured },
    ...{ soundEnds: audio.map(earlyEnd), areEndsSure },
  };
}

/** The duration that ffmpeg's progress ends with, in seconds; 0 for none. */
export function durationRead(progress: string): number {
  const [, last = 0] = [...progress.matchAll(/^out_time_us=(\d+)$/gm)].at(-1) ?? [];
  return Number(last) / 1e6;
}

/** When a track ends, in seconds from the start of the film; NaN where nothing tells. */
function endOf(stream: Record<string, unknown>, startTime: number): number {
  const [duration = NaN, tagged = NaN] = durationsOf(stream);
  // FFmpeg gives a track with nothing in it the duration of the film.
  if (tagged === 0) return 0;
  // What Matroska files are tagged with is the end.
  return duration > 0 ? (Number(stream.start_time) || startTime) - startTime + duration : tagged;
}

/** What the container or a track tells of its duration, in seconds; NaN for nothing. */
function durationsOf({ duration, tags }: Record<string, unknown>): number[] {
  const [, hours, minutes, seconds] =
    /^(\d{1,4}):(\d\d):(\d\d(?:\.\d+)?)$/.exec(String(isRecord(tags) ? tags.DURATION : "")) ?? [];
  return [Number(duration), Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)];
}

function trackOf(stream: Record<string, unknown>) {
  const tags = isRecord(stream.tags) ? stream.tags : {};
  const language = shownText(tags.language);
  return {
    codec: codecOf(stream),
    ...language !== "und" && named("language", language),
    ...named("title", shownText(tags.title)),
    ...has(stream, "default") && { isDefault: true },
  };
}

/** The pictures as `codecs` names them (RFC 6381); undefined for codecs that no browser has. */
function videoCodecs(stream: Record<string, unknown>): string | undefined {
  const level = Number(stream.level);
  const profile = String(stream.profile ?? "");
  const is10Bit = String(stream.pix_fmt ?? "").includes("10");
  const two = (number: number) => String(number).padStart(2, "0");
  const hex = (number: number) => number.toString(16).padStart(2, "0");
  switch (codecOf(stream)) {
    case "h264": {
      const id = { "Constrained Baseline": 0x42, "Baseline": 0x42, "Main": 0x4d, "High": 0x64 }[
        profile
      ];
      if (id !== undefined) return `avc1.${hex(id)}00${hex(level > 0 ? level : 40)}`;
      return /^High 10/.test(profile) ? `avc1.6e00${hex(level > 0 ? level : 40)}` : "avc1.f40028";
    }
    case "hevc":
      return `hvc1.${is10Bit ? "2.4" : "1.6"}.L${level > 0 ? level : 120}.B0`;
    case "av1":
      return `av01.0.${two(level >= 0 ? level : 8)}M.${is10Bit ? "10" : "08"}`;
    case "vp9":
      return `vp09.${is10Bit ? "02.41.10" : "00.41.08"}`;
    case "vp8":
      return "vp8";
  }
}

function audioCodecs(stream: Record<string, unknown>): string | undefined {
  const names: Record<string, string> = {
    ...{ aac: "mp4a.40.2", mp3: "mp3", opus: "opus", vorbis: "vorbis", flac: "flac" },
    ...{ ac3: "ac-3", eac3: "ec-3", alac: "alac", dts: "dtsc" },
  };
  const codec = codecOf(stream);
  if (codec.startsWith("pcm_")) return "1";
  return Object.hasOwn(names, codec) ? names[codec] : undefined;
}

function codecOf({ codec_name }: Record<string, unknown>): string {
  return shownText(codec_name) ?? "unknown";
}

function has({ disposition }: Record<string, unknown>, name: string): boolean {
  return isRecord(disposition) && disposition[name] === 1;
}

function size(value: unknown): number {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** A member that is left out without a value. */
function named<K extends string>(name: K, value: string | undefined): { [name in K]?: string } {
  return value === undefined ? {} : { [name]: value } as { [name in K]?: string };
}
