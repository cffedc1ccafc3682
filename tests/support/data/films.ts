/** Films and music that browsers do not decode, small and made as they are needed. */
import { join } from "node:path";
import { temporaryFolder } from "../disks/files.ts";

/** Files by their names. */
export type Films = Record<
  "old.mkv" | "long.mkv" | "copied.mkv" | "disc.mpg" | "tune.wma" | "lossless.m4a",
  Uint8Array<ArrayBuffer>
>;

const subtitles = "1\n00:00:01,000 --> 00:00:02,500\nThe sea!\n";

/**
 * Makes them, in a few seconds: HEVC with AC-3 in two languages and subtitles, ten seconds, and the
 * same eight times; H.264
 * with AC-3 and a keyframe every two seconds; MPEG-2; WMA; ALAC.
 */
export async function makeFilms(): Promise<Films> {
  await using folder = await temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  await Deno.writeTextFile(file("sea.srt"), subtitles);
  const picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=24000/1001:d=10"];
  const tone = ["-f", "lavfi", "-i", "sine=d=10"];
  const other = ["-f", "lavfi", "-i", "sine=f=880:d=10"];
  await Promise.all([
    ffmpeg(
      ...[...picture, ...tone, ...other, "-i", file("sea.srt")],
      ...["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx265"],
      ...["-preset", "ultrafast", "-x265-params", "log-level=none:keyint=48", "-c:a", "ac3"],
      ...["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fre"],
      ...["-metadata:s:a:1", "title=Français", "-metadata:s:s:0", "language=ger"],
      file("old.mkv"),
    ),
    ffmpeg(
      ...[...picture, ...tone, "-c:v", "libx264", "-preset", "veryfast", "-g", "48"],
      ...["-pix_fmt", "yuv420p", "-c:a", "ac3", file("copied.mkv")],
    ),
    ffmpeg(...picture, ...tone, "-t", "4", "-c:v", "mpeg2video", "-c:a", "mp2", file("disc.mpg")),
    ffmpeg(...tone, "-c:a", "wmav2", file("tune.wma")),
    ffmpeg(...tone, "-c:a", "alac", file("lossless.m4a")),
  ]);
  await ffmpeg(
    ...["-stream_loop", "7", "-i", file("old.mkv"), "-map", "0", "-c", "copy", file("long.mkv")],
  );
  const names = [
    "old.mkv",
    "long.mkv",
    "copied.mkv",
    "disc.mpg",
    "tune.wma",
    "lossless.m4a",
  ] as const;
  const read = await Promise.all(
    names.map(async (name) => [name, await Deno.readFile(file(name))] as const),
  );
  return Object.fromEntries(read) as Films;
}

/**
 * Makes films that browsers decode, H.264 with AAC, of twelve seconds: an MP4 file, and a Matroska
 * file with two audio tracks, which some browsers do not open.
 */
export async function makePlayed(): Promise<
  Record<"plain.mp4" | "packed.mkv", Uint8Array<ArrayBuffer>>
> {
  await using folder = await temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  await ffmpeg(
    ...["-f", "lavfi", "-i", "testsrc2=s=640x360:r=24:d=12", "-f", "lavfi", "-i", "sine=d=12"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "48", "-pix_fmt", "yuv420p"],
    ...["-c:a", "aac", "-movflags", "+faststart", file("plain.mp4")],
  );
  await ffmpeg(
    ...["-i", file("plain.mp4"), "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy"],
    ...["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fre", file("packed.mkv")],
  );
  return {
    "plain.mp4": await Deno.readFile(file("plain.mp4")),
    "packed.mkv": await Deno.readFile(file("packed.mkv")),
  };
}

/** Makes a film that browsers decode and do not load ahead as a whole: 40 seconds of some MB each. */
export async function makeHeavy(): Promise<Uint8Array<ArrayBuffer>> {
  await using folder = await temporaryFolder();
  const [part, whole] = [join(folder.path, "part.mp4"), join(folder.path, "heavy.mp4")];
  await ffmpeg(
    ...["-f", "lavfi", "-i", "testsrc2=s=640x360:r=24:d=2,noise=alls=40:allf=t"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-qp", "30", "-g", "24", "-bf", "0"],
    ...["-pix_fmt", "yuv420p", part],
  );
  await ffmpeg(
    ...["-stream_loop", "19", "-i", part, "-c", "copy", "-movflags", "+faststart", whole],
  );
  return await Deno.readFile(whole);
}

/** Makes a film of 1440 lines and two seconds, in a codec that browsers lack. */
export async function makeLarge(): Promise<Uint8Array<ArrayBuffer>> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "large.mkv");
  await ffmpeg(
    ...["-f", "lavfi", "-i", "testsrc2=s=2560x1440:r=5:d=2", "-c:v", "mpeg4", "-q:v", "10", path],
  );
  return await Deno.readFile(path);
}

/**
 * Films that would take too much: a picture of 100 megapixels, one that says it has four gigapixels,
 * and 500 tracks.
 */
export async function makeBombs(): Promise<
  Record<"huge.mkv" | "gigapixel.mkv" | "tracks.mka", Uint8Array<ArrayBuffer>>
> {
  await using folder = await temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  const tracks = Array.from({ length: 500 }, () => ["-map", "0"]).flat();
  await Promise.all([
    ffmpeg(
      ...["-f", "lavfi", "-i", "color=s=10240x10240:r=1:d=1", "-c:v", "mjpeg", "-threads", "1"],
      file("huge.mkv"),
    ),
    ffmpeg(
      ...["-f", "lavfi", "-i", "color=s=64x64:r=1:d=2", "-c:v", "mjpeg", file("small.mkv")],
    ),
    ffmpeg(
      ...["-f", "lavfi", "-i", "sine=d=0.1", ...tracks, "-c:a", "pcm_s16le", file("tracks.mka")],
    ),
  ]);
  return {
    "huge.mkv": await Deno.readFile(file("huge.mkv")),
    "gigapixel.mkv": enlarged(await Deno.readFile(file("small.mkv"))),
    "tracks.mka": await Deno.readFile(file("tracks.mka")),
  };
}

/** Has the pictures of a film, which are JPEG, say that they have 65,500 lines and columns. */
function enlarged(film: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(film.buffer);
  for (let at = 0; at + 9 < film.length; at++) {
    // A frame (SOF0) of 8 bits: its length, its bits, its lines and its columns.
    if (view.getUint16(at) !== 0xffc0 || view.getUint8(at + 4) !== 8) continue;
    view.setUint16(at + 5, 65_500);
    view.setUint16(at + 7, 65_500);
  }
  return film;
}

/** What ffprobe tells of a stream that was received: a line for each packet of a track. */
export async function packetsOf(
  bytes: Uint8Array,
  track: "v" | "a",
): Promise<{ codec: string; height: number; times: number[]; keys: number[] }> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "stream.mp4");
  await Deno.writeFile(path, bytes);
  const { stdout } = await new Deno.Command("ffprobe", {
    args: [
      ...["-v", "error", "-select_streams", `${track}:0`, "-of", "json", "-show_entries"],
      ...["packet=pts_time,flags:stream=codec_name,height", path],
    ],
  }).output();
  const told = JSON.parse(new TextDecoder().decode(stdout)) as {
    streams: { codec_name: string; height?: number }[];
    packets: { pts_time: string; flags: string }[];
  };
  const [{ codec_name: codec = "", height = 0 } = {}] = told.streams;
  const timed = told.packets.map(({ pts_time, flags }) => ({ at: Number(pts_time), flags }));
  return {
    ...{ codec, height },
    times: timed.map(({ at }) => at).sort((a, b) => a - b),
    keys: timed.filter(({ flags }) => flags.startsWith("K")).map(({ at }) => at),
  };
}

async function ffmpeg(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("ffmpeg", {
    args: ["-v", "error", "-y", ...args],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
