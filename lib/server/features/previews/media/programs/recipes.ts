import { inputPath } from "../../../../core/sandbox/reader_domain.ts";
import type { Config } from "../../../../core/config/config.ts";

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

/** A run of a program on one file. */
export interface Recipe {
  program: ProgramName;
  args: readonly string[];
  /**
   * It writes its output, which is named here, into a folder of its own, for which {folder} stands
   * in its arguments; there the input has the name "input" with the extension of the request.
   */
  output?: string;
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
