/** Videos, music, HEIC and RAW files for tests, small and made as they are needed. */
import { join } from "node:path";
import { temporaryFolder } from "../disks/files.ts";
import { quarters } from "./pictures.ts";

/** Files that ffmpeg makes: all show four quarters, or play one second of a tone. */
export interface MadeMedia {
  /** 320 by 180, two seconds, with the title "A film". */
  film: Uint8Array<ArrayBuffer>;
  /** The same, in Matroska, ten seconds. */
  long: Uint8Array<ArrayBuffer>;
  /** MP3 with a cover and all tags. */
  song: Uint8Array<ArrayBuffer>;
  /** Ogg Vorbis without a cover. */
  tune: Uint8Array<ArrayBuffer>;
  /** A picture of 256 by 192 as phones take it. */
  heic: Uint8Array<ArrayBuffer>;
}

/** Makes them, in less than two seconds. */
export async function makeMedia(): Promise<MadeMedia> {
  await using folder = await temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  await quarters(320, 180).png().toFile(file("wide.png"));
  await quarters(256, 192).png().toFile(file("photo.png"));
  const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
  const still = ["-loop", "1", "-framerate", "5", "-i", file("wide.png")];
  const tone = ["-f", "lavfi", "-i", "sine=d=1"];
  const tags = { title: "Song", artist: "Band", album: "Album", track: "3", date: "1999" };
  const meta = Object.entries(tags).flatMap(([name, value]) => ["-metadata", `${name}=${value}`]);
  await Promise.all([
    ffmpeg(...still, "-t", "2", ...x264, "-metadata", "title=A film", file("film.mp4")),
    ffmpeg(...still, "-t", "10", ...x264, file("long.mkv")),
    ffmpeg(
      ...[...tone, "-i", file("photo.png"), "-map", "0", "-map", "1", "-c:v", "mjpeg"],
      ...["-disposition:v", "attached_pic", ...meta, file("song.mp3")],
    ),
    ffmpeg(...tone, file("tune.ogg")),
    ffmpeg(
      ...["-i", file("photo.png"), "-c:v", "libx265", "-x265-params", "log-level=none"],
      ...["-pix_fmt", "yuv420p", "-tag:v", "hvc1", file("photo.mp4")],
    ),
  ]);
  const read = (name: string) => Deno.readFile(file(name));
  return {
    film: await read("film.mp4"),
    long: await read("long.mkv"),
    song: await read("song.mp3"),
    tune: await read("tune.ogg"),
    heic: heicOf(await read("photo.mp4"), 256, 192),
  };
}

async function ffmpeg(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("ffmpeg", {
    args: ["-v", "error", "-y", ...args],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** A TIFF file with a JPEG in its first directory, as CR2, NEF, ARW and DNG are built. */
export function rawOf(jpeg: Uint8Array, orientation = 1): Uint8Array<ArrayBuffer> {
  const start = 64;
  const view = new DataView(new ArrayBuffer(start + jpeg.length));
  const bytes = new Uint8Array(view.buffer);
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, 3, 0]);
  const entries = [[0x0112, 3, orientation], [0x0201, 4, start], [0x0202, 4, jpeg.length]] as const;
  entries.forEach(([tag, type, value], index) => {
    const at = 10 + index * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, 1, true);
    view.setUint32(at + 8, value, true);
  });
  bytes.set(jpeg, start);
  return bytes;
}

/** A box of an ISO container. */
export function box(type: string, ...parts: (Uint8Array | number[])[]): Uint8Array<ArrayBuffer> {
  const body = parts.flatMap((part) => [...part]);
  const bytes = new Uint8Array(8 + body.length);
  new DataView(bytes.buffer).setUint32(0, bytes.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(body, 8);
  return bytes;
}

/** Puts the one frame of an HEVC video into the container that phones use for pictures. */
function heicOf(mp4: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const frame = bodyOf(mp4, "mdat");
  const letters = (text: string) => [...new TextEncoder().encode(text)];
  const long = (
    value: number,
  ) => [value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255];
  const full = [0, 0, 0, 0];
  const head = box("ftyp", letters("heic"), full, letters("mif1heic"));
  const meta = (offset: number) =>
    box(
      "meta",
      full,
      box("hdlr", full, full, letters("pict"), full, full, full, [0]),
      box("pitm", full, [0, 1]),
      box("iloc", full, [0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1], long(offset), long(frame.length)),
      box("iinf", full, [0, 1], box("infe", [2, 0, 0, 0, 0, 1, 0, 0], letters("hvc1"), [0])),
      box(
        "iprp",
        box(
          "ipco",
          box("hvcC", bodyOf(mp4, "hvcC")),
          box("ispe", full, long(width), long(height)),
        ),
        box("ipma", full, [0, 0, 0, 1, 0, 1, 2, 0x81, 2]),
      ),
    );
  const start = head.length + meta(0).length + 8;
  return new Uint8Array([...head, ...meta(start), ...box("mdat", frame)]);
}

function bodyOf(file: Uint8Array, type: string): Uint8Array {
  const text = new TextDecoder("latin1").decode(file);
  const at = text.indexOf(type) - 4;
  const length = new DataView(file.buffer, file.byteOffset).getUint32(at);
  return file.subarray(at + 8, at + length);
}
