/** Films as they should not be, or seldom are: small and made as they are needed. */
import { join } from "node:path";
import { temporaryFolder } from "../disks/files.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"];
const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const picture = (seconds: number, size = "320x180", rate = 24) => [
  ...["-f", "lavfi", "-i", `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
];
const tone = (seconds: number, hertz = 440) => [
  ...["-f", "lavfi", "-i", `sine=f=${hertz}:d=${seconds}`],
];

/** Tags that files have instead of a language. */
const oddLanguages = [
  "qaa",
  "zxx",
  "mul",
  "x-y",
  "en_US",
  "Klingon",
  "日本",
  "??",
  "e",
  "zz",
];

const script = `[Script Info]
PlayResX: 384
PlayResY: 288

[V4+ Styles]
Format: Name, Fontname, Fontsize, Alignment
Style: Default,Arial,20,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.50,0:00:03.00,Default,,0,0,0,,{\\i1}The sea!{\\i0}{a comment}
Dialogue: 0,0:00:00.50,0:00:03.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0 100 100 0 100{\\p0}
`;

/** Films by their names, each as its making says. */
export type OddFilms = Record<
  | ("blink.mkv" | "blink.mp4" | "silent.mkv" | "cover.mp4" | "cover.mkv" | "phone.mov")
  | ("hdr.mkv" | "ten.mp4" | "uneven.mkv" | "late.ts" | "around.mkv" | "words.mkv")
  | (
    | "live.mkv"
    | "live.wmv"
    | "bare.m2v"
    | "words.mp4"
    | "tongues.mkv"
    | "hushed.mkv"
    | "hushed.mp4"
  )
  | ("hollow.mkv" | "hushed.avi" | "hushed.ts" | "hushed.wmv" | "dark.mkv" | "old.flv"),
  Bytes
>;

/** Makes them, in some seconds. */
export async function makeOddFilms(): Promise<OddFilms> {
  await using folder = await temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  await Promise.all([
    Deno.writeTextFile(file("words.ass"), script),
    Deno.writeFile(file("words.sup"), pictureSubtitles()),
    ffmpeg(...picture(0.04), "-frames:v", "1", file("cover.jpg")),
    ffmpeg(...picture(4, "960x540"), ...tone(4), ...hevc, "-c:a", "aac", file("wide.mov")),
  ]);
  const tongues = Array.from({ length: 30 }, (_, at) => [
    ...["-map", "1", `-metadata:s:a:${at}`],
    `language=${oddLanguages[at % oddLanguages.length]}`,
  ]).flat();
  const made: Record<keyof OddFilms, string[]> = {
    // One picture.
    "blink.mkv": [...picture(1), "-frames:v", "1", ...hevc],
    "blink.mp4": [...picture(1), "-frames:v", "1", ...h264],
    "silent.mkv": [...picture(4), ...hevc],
    // Without a duration: sent while it was recorded, and pictures without a container.
    "live.mkv": [...picture(10), ...tone(10), ...h264, "-g", "48", "-c:a", "aac", "-live", "1"],
    "live.wmv": [...picture(10), "-c:v", "wmv2"],
    "bare.m2v": [...picture(10), "-c:v", "mpeg2video"],
    // Sound with a cover, and no pictures.
    "cover.mp4": [
      ...[...tone(4), "-i", file("cover.jpg"), "-map", "0", "-map", "1", "-c:a", "aac"],
      ...["-c:v", "mjpeg", "-disposition:v", "attached_pic"],
    ],
    "cover.mkv": [
      ...[...tone(4), "-c:a", "ac3", "-attach", file("cover.jpg")],
      ...["-metadata:s:t", "mimetype=image/jpeg"],
    ],
    // Held upright.
    "phone.mov": ["-i", file("wide.mov"), "-c", "copy", "-metadata:s:v", "rotate=90"],
    // BT.2020 with PQ, of 10 bits.
    "hdr.mkv": [
      ...[...picture(4), ...tone(4), "-pix_fmt", "yuv420p10le", ...hevc.slice(0, -1)],
      "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:hdr10=1",
      ...["-c:a", "ac3"],
    ],
    "ten.mp4": [...picture(4), ...tone(4), ...h264, "-pix_fmt", "yuv420p10le", "-c:a", "aac"],
    // Two seconds of 24 pictures each, then some each second.
    "uneven.mkv": [
      ...[...picture(8), ...tone(8), "-vf", "select='lt(t,2)+not(mod(n,7))'"],
      ...["-fps_mode", "vfr", ...hevc, "-c:a", "ac3"],
    ],
    // A recording of television: its clock is at an hour and a half.
    "late.ts": [
      ...[...picture(6), ...tone(6), "-c:v", "mpeg2video", "-g", "12", "-c:a", "mp2"],
      ...["-output_ts_offset", "5400", "-f", "mpegts"],
    ],
    // Sound of eight channels.
    "around.mkv": [
      ...[...picture(4), ...tone(4), ...h264, "-g", "24", "-c:a", "aac"],
      ...["-af", "pan=7.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0|SL=c0|SR=c0"],
    ],
    // The sound ends long before the pictures.
    "hushed.mkv": [...picture(8), ...tone(2), ...hevc, "-c:a", "ac3"],
    "hushed.mp4": [...picture(8), ...tone(2), ...h264, "-g", "24", "-c:a", "aac"],
    // Its sound track has nothing in it.
    "hollow.mkv": [...picture(8), ...tone(2), "-af", "atrim=start=3", ...hevc, "-c:a", "ac3"],
    "hushed.avi": [...picture(8), ...tone(2), "-c:v", "mpeg4", "-c:a", "libmp3lame"],
    "hushed.wmv": [...picture(8), ...tone(2), "-c:v", "wmv2", "-c:a", "wmav2"],
    "hushed.ts": [...picture(24), ...tone(2), "-c:v", "mpeg2video", "-c:a", "mp2"],
    // The pictures end long before the sound.
    "dark.mkv": [...picture(2), ...tone(8), ...hevc, "-c:a", "ac3"],
    "old.flv": [...picture(4), ...tone(4), "-c:v", "flv", "-c:a", "libmp3lame", "-ar", "44100"],
    // Subtitles as a script, as pictures of Blu-ray and of DVD.
    "words.mkv": [
      ...[...picture(4), "-i", file("words.ass"), "-i", file("words.sup"), "-i", file("words.sup")],
      ...["-map", "0", "-map", "1", "-map", "2", "-map", "3", ...hevc, "-c:s:0", "copy"],
      ...["-c:s:1", "copy", "-c:s:2", "dvdsub", "-metadata:s:s:0", "language=eng"],
      ...["-metadata:s:s:1", "language=ger", "-metadata:s:s:2", "language=fre"],
    ],
    "words.mp4": [
      ...[...picture(4), ...tone(4), "-i", file("words.ass"), "-map", "0", "-map", "1"],
      ...["-map", "2", ...h264, "-c:a", "aac", "-c:s", "mov_text"],
      ...["-metadata:s:s:0", "language=eng"],
    ],
    "tongues.mkv": [
      ...[...picture(2), ...tone(2), "-map", "0", ...tongues, ...hevc, "-c:a", "ac3"],
      ...["-b:a", "32k"],
    ],
  };
  const names = Object.keys(made) as (keyof OddFilms)[];
  await Promise.all(names.map((name) => ffmpeg(...made[name], file(name))));
  const read = names.map(async (name) => [name, await Deno.readFile(file(name))] as const);
  const films = Object.fromEntries(await Promise.all(read)) as OddFilms;
  sentLive(films["live.wmv"]);
  return films;
}

/** Has a WMV file say that it was sent live, so that its duration does not count. */
function sentLive(film: Bytes): void {
  const fileProperties = 0x8cabdca1;
  const view = new DataView(film.buffer);
  const at = film.findIndex((_, at) =>
    at + 92 < film.length && view.getUint32(at, true) === fileProperties
  );
  view.setUint32(at + 88, 1, true);
}

/** Subtitles of Blu-ray (PGS): a box of one colour, from half a second on, for two. */
function pictureSubtitles(): Bytes {
  const [width, height] = [16, 8];
  const two = (number: number) => [number >> 8 & 255, number & 255];
  // Each line: one run of the first colour, and its end.
  const lines = Array.from({ length: height }, () => [0, 0x80 | width, 1, 0, 0]).flat();
  const part = (seconds: number, type: number, ...body: number[]) => {
    const bytes = new Uint8Array(13 + body.length);
    const view = new DataView(bytes.buffer);
    bytes.set([0x50, 0x47]);
    view.setUint32(2, seconds * 90_000);
    bytes.set([type, ...two(body.length), ...body], 10);
    return bytes;
  };
  const size = [...two(320), ...two(180)];
  const frame = 0x10;
  const shown = (number: number) => [...size, frame, ...two(number), 0x80, 0, 0];
  const parts = [
    // What is composed, where, in which colours, and the box itself.
    part(0.5, 0x16, ...shown(0), 1, ...two(0), 0, 0, ...two(10), ...two(10)),
    part(0.5, 0x17, 1, 0, ...two(10), ...two(10), ...two(width), ...two(height)),
    part(0.5, 0x14, 0, 0, 1, 235, 128, 128, 255),
    part(
      ...[0.5, 0x15, ...two(0), 0, 0xc0, 0, ...two(lines.length + 4)] as const,
      ...[...two(width), ...two(height), ...lines],
    ),
    part(0.5, 0x80),
    part(2.5, 0x16, ...shown(1), 0),
    part(2.5, 0x17, 1, 0, ...two(10), ...two(10), ...two(width), ...two(height)),
    part(2.5, 0x80),
  ];
  return new Uint8Array(parts.flatMap((bytes) => Array.from(bytes)));
}

async function ffmpeg(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("ffmpeg", {
    args: ["-v", "error", "-y", ...args],
    stdin: "null",
  }).output();
  if (!success) throw new Error(`${args.at(-1)}: ${new TextDecoder().decode(stderr)}`);
}
