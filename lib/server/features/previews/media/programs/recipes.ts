import { inputPath } from "../../../../core/sandbox/reader_domain.ts";
import type { Config } from "../../../../core/config/config.ts";
import { type EncoderUse, encodingOf, threads } from "./video_encoding.ts";

/** The programs that are used where they are installed. */
export const programNames = [
  ...["ffmpeg", "ffprobe", "pdftoppm", "pdfinfo", "pdftotext", "soffice"] as const,
] as const;

/** One of {@linkcode programNames}. */
export type ProgramName = typeof programNames[number];

/**
 * The demuxers that read one file by themselves. Playlists (HLS, DASH, concat), image sequences and
 * session descriptions, which name other files or addresses, are not among them.
 */
const demuxers = [
  ...["mov", "mp4", "m4a", "3gp", "3g2", "mj2", "matroska", "webm", "avi", "asf", "flv"],
  ...["live_flv", "mpeg", "mpegts", "mpegvideo", "m4v", "h264", "hevc", "obu", "ivf", "ogg"],
  ...["rm", "mxf", "dv", "nut", "wtv", "roq", "dirac", "vc1"],
].join(",");

/**
 * The input of ffmpeg and ffprobe. `file` alone opens what the sandbox leaves: the input itself and
 * the system's libraries.
 */
const input = [
  ...["-protocol_whitelist", "file", "-format_whitelist", demuxers],
  ...["-probesize", "10M", "-analyzeduration", "10M"],
];

/** Demuxers of music, besides. */
const soundDemuxers = [
  ...[
    "aac",
    "ac3",
    "aiff",
    "amr",
    "ape",
    "au",
    "caf",
    "dsf",
    "dts",
    "dtshd",
    "eac3",
    "flac",
    "iff",
  ],
  ...["mp3", "mpc", "mpc8", "oma", "tak", "truehd", "tta", "w64", "wav", "wv", "xwma"],
].join(",");

/** The input of a film or a piece of music that is played. */
const playedInput = input.map((part) => part === demuxers ? `${demuxers},${soundDemuxers}` : part);

/** Largest pictures in a video, in pixels: twice 8K. */
const maxPixels = 2 * 7680 * 4320;
/** The longest side of a poster or a page, in pixels: that of a large preview, and some more. */
const side = 1_280;

/** Scales square pixels down into a square; the picture never becomes larger. */
const scaled = [
  "scale=w='max(2,trunc(iw*sar))':h=ih",
  "setsar=1",
  `scale=w='min(${side},iw)':h='min(${side},ih)':force_original_aspect_ratio=decrease`,
].join();

/** Square pixels, 240 on the longer side. */
const smallPicture = [
  "scale=w='max(2,trunc(iw*sar))':h=ih",
  "setsar=1",
  "scale=w=240:h=240:force_original_aspect_ratio=decrease:force_divisible_by=2",
  // A keyframe before the place counts as well: FFmpeg drops what comes before the beginning.
  "setpts=0",
].join();

/** Sound that all browsers decode; gaps become silence. */
const aac = ["-c:a", "aac", "-b:a", "160k", "-ac", "2", "-af", "aresample=async=1{pad}"];

/** Pictures as they are. */
const copied = ["-c:v", "copy"];
/** The name of HEVC by which Safari takes it. */
const hvc1 = ["-tag:v", "hvc1"];

/** The pictures of {@linkcode recipes} that are encoded. */
const renditions = {
  stream480: { lines: 480, rate: "700k", maxRate: "900k" },
  stream1080: { lines: 1080, rate: "3500k", maxRate: "5M" },
};

/** A run of a program on one file. */
export interface Recipe {
  program: ProgramName;
  args: readonly string[];
  /**
   * It writes its output, which is named here, into a folder of its own, for which {folder} stands
   * in its arguments; there the input has the name "input" with the extension of the request.
   */
  output?: string;
  /**
   * It reads the whole file, within limits of its own: while its output is watched, or at once, which
   * does not wait for what is watched.
   */
  reads?: "watched" | "atOnce";
}

/**
 * The numbers that a recipe takes, for which their names in braces stand in its arguments; all of
 * them are 0 or more.
 */
export interface RecipeNumbers {
  /** Where it begins, in seconds. */
  start?: number;
  /** What its output's times begin with, in seconds. */
  offset?: number;
  /** The track, counted among those of its kind. */
  track?: number;
  /** The duration of the input, in seconds. */
  duration?: number;
  /** One of {@linkcode soundUse}. */
  sound?: number;
  /** How long the sound lasts from `start` on, in seconds, where {@linkcode soundUse} adds silence. */
  soundSeconds?: number;
}

/** Most places of a film that are asked for keyframes: their list has to fit into an argument. */
const maxIntervals = 4_000;
/** The least distance between two of them, in seconds. */
const intervalSeconds = 4;

/**
 * What a stream has for sound. Players stop where the sound of a film ends, until there is some for
 * the remaining pictures, too.
 */
export const soundUse = {
  /** The track as it is. */
  asIs: 0,
  /** The track, and then silence, as long as there are pictures. */
  padded: 1,
  /** Silence in place of the track, which has ended before. */
  silent: 2,
  /**
   * The track, and then silence up to `soundSeconds`, where its end is told and not to be trusted.
   * FFmpeg knows that a track has ended at the end of the file alone, so it comes ten seconds late.
   */
  filled: 3,
} as const;

/** What stands for arguments that {@linkcode soundUse} needs. */
const silentInput = "{silentInput}";
const soundTrack = "{soundTrack}";
const whilePictures = "{whilePictures}";

/**
 * How long before the end of a track silence takes its place, in seconds: FFmpeg goes on once it has
 * read a packet behind that, and not at the end of the file.
 */
const beforeSilence = 0.2;

function soundArgs(arg: string, sound: number, seconds: number): string[] {
  const isSilent = sound === soundUse.silent;
  switch (arg) {
    case silentInput:
      return isSilent ? ["-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo"] : [];
    case soundTrack:
      return [isSilent ? "1:a:0" : "0:a:{track}?"];
    case whilePictures:
      // The header of one run serves the fragments of others.
      return isSilent || sound === soundUse.padded ? ["-shortest", "-ar", "48000"] : [];
  }
  const pads: Partial<Record<number, string>> = {
    [soundUse.padded]: `,atrim=end=${Math.max(0, seconds - beforeSilence).toFixed(3)},apad`,
    [soundUse.filled]: `:first_pts=0,apad=whole_dur=${seconds.toFixed(3)}`,
  };
  return [arg.replace("{pad}", pads[sound] ?? "")];
}

/** The arguments of a recipe with its numbers. @throws TypeError for numbers that are none */
export function argsOf({ args }: Pick<Recipe, "args">, numbers: RecipeNumbers = {}): string[] {
  const read = (name: keyof RecipeNumbers, digits: number) => {
    const number: unknown = numbers[name] ?? 0;
    if (typeof number !== "number" || !(number >= 0 && number <= 1e6)) {
      throw new TypeError(`${name} is no number in range`);
    }
    return number.toFixed(digits);
  };
  const intervals = () => {
    const duration = Number(read("duration", 3));
    const step = Math.max(intervalSeconds, duration / maxIntervals);
    const places = Array.from({ length: Math.floor(duration / step) + 1 }, (_, at) => at * step);
    return places.map((at) => `${at.toFixed(2)}%+#1`).join(",");
  };
  const sound = Number(read("sound", 0));
  const soundSeconds = Number(read("soundSeconds", 3));
  const start = read("start", 3);
  // A seek to the start loses the first seconds of MP3 in FLV.
  const seek = Number(start) === 0 ? args.findIndex((arg) => arg === "{start}") - 1 : -1;
  const used = seek >= 0 ? args.filter((_, at) => at !== seek && at !== seek + 1) : args;
  return used.flatMap((arg) => soundArgs(arg, sound, soundSeconds)).map((arg) =>
    arg.replaceAll("{start}", start)
      .replaceAll("{offset}", () => read("offset", 3))
      .replaceAll("{track}", () => read("track", 0))
      .replaceAll("{intervals}", intervals)
  );
}

/**
 * All that programs are run for. The server names one of these, and nothing else can be run: not by
 * a compromised server either.
 */
export const recipes = {
  /** A picture some seconds into a video, where titles have begun. */
  posterLater: poster("4"),
  /** The first picture of a video. */
  posterAtStart: poster("0"),
  videoFacts: {
    program: "ffprobe",
    args: [
      ...["-v", "quiet", ...input, "-of", "json", "-show_entries"],
      "format=duration:format_tags:stream=codec_type,codec_name,width,height,duration," +
      "sample_aspect_ratio:stream_disposition=attached_pic:stream_tags=rotate:" +
      "stream_side_data=rotation",
      ...["-i", `file:${inputPath}`],
    ],
  },
  icon: conversion("-f", "ico"),
  jpeg2000: picture("jpeg2000"),
  jxl: picture("libjxl"),
  pnm: picture("ppm"),
  psd: picture("psd"),
  qoi: picture("qoi"),
  tga: picture("targa"),
  firstPage: {
    program: "pdftoppm",
    args: [
      ...["-f", "1", "-l", "1", "-singlefile", "-scale-to", String(side), "-jpeg", "-q"],
      inputPath,
    ],
  },
  pdfFacts: { program: "pdfinfo", args: ["-enc", "UTF-8", inputPath] },
  /** The text of a PDF file, for the index of content search. */
  pdfText: {
    program: "pdftotext",
    args: ["-q", "-enc", "UTF-8", "-eol", "unix", inputPath, "-"],
  },
  /** What is in a film or a piece of music, and where it begins. */
  streamFacts: {
    program: "ffprobe",
    args: [
      ...["-v", "quiet", ...playedInput, "-of", "json", "-show_entries"],
      "format=format_name,duration,start_time:stream=codec_type,codec_name,profile,level,width," +
      "height,pix_fmt,channels,start_time,duration:stream_disposition=attached_pic,default,forced:" +
      "stream_tags=language,title,DURATION",
      ...["-i", `file:${inputPath}`],
    ],
  },
  /** How long a film or a piece of music is whose container does not tell: by reading all of it. */
  duration: {
    program: "ffmpeg",
    args: [
      ...["-v", "error", "-nostdin", ...playedInput, "-i", `file:${inputPath}`],
      ...["-map", "0:V:0?", "-map", "0:a?", "-c", "copy"],
      ...["-f", "null", "-progress", "pipe:1", "-"],
    ],
    reads: "atOnce",
  },
  /** Where some of the keyframes of a film are. */
  keyframes: {
    program: "ffprobe",
    args: [
      ...["-v", "quiet", ...input, "-of", "csv=p=0", "-select_streams", "V:0"],
      ...["-read_intervals", "{intervals}", "-show_entries", "packet=pts_time,flags"],
      ...["-i", `file:${inputPath}`],
    ],
  },
  /** A film whose pictures are copied, and its sound as AAC; the same with its sound copied. */
  streamCopy: stream(["0:V:0", soundTrack], [...copied, ...aac]),
  streamCopyAll: stream(["0:V:0", soundTrack], [...copied, "-c:a", "copy"]),
  streamCopyHevc: stream(["0:V:0", soundTrack], [...copied, ...hvc1, ...aac]),
  streamCopyHevcAll: stream(["0:V:0", soundTrack], [...copied, ...hvc1, "-c:a", "copy"]),
  /** A film as H.264 and AAC. */
  stream480: encoded("stream480", { encoder: "libx264" }),
  stream1080: encoded("stream1080", { encoder: "libx264" }),
  /** Sound alone, as AAC. */
  streamSound: stream(["0:a:{track}"], [...aac, "-frag_duration", "200000"]),
  /** Subtitles inside of a film, as WebVTT; scripts of ASS as they are. */
  subtitleTrack: subtitles("-f", "webvtt"),
  subtitleScript: subtitles("-c:s", "copy", "-f", "ass"),
  /** The nearest keyframe before a place of a film, small. */
  seekPicture: {
    program: "ffmpeg",
    args: [
      ...["-v", "error", "-nostdin", "-noaccurate_seek", "-ss", "{start}", ...playedInput],
      ...["-threads", "1", "-skip_frame", "nokey", "-max_pixels", String(maxPixels)],
      ...["-an", "-sn", "-dn", "-i", `file:${inputPath}`, "-map", "0:V:0", "-frames:v", "1"],
      ...["-filter_threads", "1", "-vf", smallPicture, "-pix_fmt", "yuvj420p", "-threads", "1"],
      ...["-c:v", "mjpeg", "-q:v", "5", "-f", "image2pipe", "pipe:1"],
    ],
  },
  /** An Office document as PDF, by a profile that lasts for one run. */
  officePdf: {
    program: "soffice",
    args: [
      "-env:UserInstallation=file://{folder}/profile",
      ...["--headless", "--invisible", "--nologo", "--nodefault", "--norestore"],
      ...["--nolockcheck", "--nofirststartwizard", "--convert-to", "pdf"],
      ...["--outdir", "{folder}/made", "{folder}/{input}"],
    ],
    output: "made/input.pdf",
  },
} as const satisfies Record<string, Recipe>;

/** The name of something that programs are run for. */
export type RecipeName = keyof typeof recipes;

/** A recipe of an encoder of its own, where it encodes pictures; undefined for none that is known. */
export function recipeOf(
  name: string,
  use: EncoderUse = { encoder: "libx264" },
): Recipe | undefined {
  if (isEncoded(name)) return encoded(name, use);
  return Object.hasOwn(recipes, name) ? recipes[name as RecipeName] : undefined;
}

/** Whether a recipe encodes pictures. */
export function isEncoded(name: string): name is keyof typeof renditions {
  return Object.hasOwn(renditions, name);
}

/** A film as H.264 and AAC. */
function encoded(name: keyof typeof renditions, use: EncoderUse) {
  const { before, codec } = encodingOf(renditions[name], use);
  return stream(["0:V:0", soundTrack], [...codec, ...aac], before);
}

/** Fragmented MP4 that begins at a place of the input, with that place's time. */
function stream(maps: readonly string[], codecs: readonly string[], before: string[] = []) {
  return {
    program: "ffmpeg",
    args: [
      ...["-v", "error", "-nostdin", ...before, "-ss", "{start}", ...playedInput],
      ...["-threads", threads, "-max_pixels", String(maxPixels), "-i", `file:${inputPath}`],
      silentInput,
      ...maps.flatMap((map) => ["-map", map]),
      ...["-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", "-filter_threads", "1"],
      ...codecs,
      whilePictures,
      ...["-output_ts_offset", "{offset}", "-avoid_negative_ts", "disabled", "-muxdelay", "0"],
      ...["-max_muxing_queue_size", "1024", "-use_editlist", "0"],
      ...["-movflags", "frag_keyframe+empty_moov+default_base_moof+frag_discont"],
      ...["-flush_packets", "1", "-f", "mp4", "pipe:1"],
    ],
    reads: "watched",
  } as const;
}

/** Subtitles inside of a film, for which all of it is read. */
function subtitles(...format: string[]) {
  return {
    program: "ffmpeg",
    args: [
      ...["-v", "error", "-nostdin", ...playedInput, "-threads", "1", "-vn", "-an", "-dn"],
      ...["-i", `file:${inputPath}`, "-map", "0:s:{track}", ...format, "pipe:1"],
    ],
    reads: "atOnce",
  } as const;
}

function poster(second: string) {
  return {
    program: "ffmpeg",
    args: [
      ...["-v", "error", "-nostdin", "-noaccurate_seek", "-ss", second, ...input],
      ...["-threads", "1", "-max_pixels", String(maxPixels), "-an", "-sn", "-dn"],
      ...["-i", `file:${inputPath}`, "-map", "0:V:0", "-frames:v", "1", "-filter_threads", "1"],
      ...["-vf", scaled, "-pix_fmt", "yuvj420p", "-threads", "1", "-c:v", "mjpeg", "-q:v", "3"],
      ...["-f", "image2pipe", "pipe:1"],
    ],
  } as const;
}

/** A picture by its decoder. The file is one, not a pattern of names. */
function picture(decoder: string) {
  return conversion("-f", "image2", "-pattern_type", "none", "-c:v", decoder);
}

/** A picture as PNG, with its transparency; the largest one of an icon. */
function conversion(...format: string[]) {
  return {
    program: "ffmpeg",
    args: [
      ...["-v", "error", "-nostdin", "-protocol_whitelist", "file"],
      ...["-format_whitelist", "image2,ico", "-threads", "1", "-max_pixels", String(maxPixels)],
      ...[...format, "-i", `file:${inputPath}`, "-frames:v", "1", "-filter_threads", "1"],
      ...["-vf", scaled, "-pix_fmt", "rgba", "-threads", "1", "-c:v", "png"],
      ...["-f", "image2pipe", "pipe:1"],
    ],
  } as const;
}

/** Describes in a line which programs make previews, and how; null where none may be run. */
export function describePrograms({ readerHost }: Pick<Config, "readerHost">): string | null {
  if (!readerHost) return null;
  const { programs, refusal } = readerHost;
  const found = programNames.filter((name) => programs[name] !== undefined).join(", ");
  if (refusal !== null) {
    return `Media: ${found} not used without a sandbox: ${refusal}`;
  }
  return `Media: ${found}, each run in a sandbox on one file`;
}
