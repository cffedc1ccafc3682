/** Music in formats that browsers lack: a second or two each. */
import { join } from "node:path";
import { temporaryFolder } from "../disks/files.ts";

/** Makes the files, by their names. */
export async function makeMusic(): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  await using folder = await temporaryFolder();
  const made: Record<string, Uint8Array<ArrayBuffer>> = {
    "silence.dsf": dsf(),
    "silence.ape": ape(),
  };
  const formats = {
    "tone.wv": ["-c:a", "wavpack"],
    "tone.aiff": [],
    "tone.ac3": [],
    "tone.dts": ["-strict", "-2", "-c:a", "dca"],
    "tone.tta": [],
    "tone.m4a": ["-c:a", "alac"],
  };
  for (const [name, codec] of Object.entries(formats)) {
    const path = join(folder.path, name);
    await ffmpeg("-f", "lavfi", "-i", "sine=r=48000:d=1", "-ac", "2", ...codec, path);
    made[name] = await Deno.readFile(path);
  }
  return made;
}

/**
 * Makes an album of four tracks, each of one tone, with tags: by ReplayGain half as loud, and a
 * quarter as an album.
 *
 * @param format the extension
 * @param codec arguments of FFmpeg
 * @param seconds of each track
 */
export async function makeAlbum(
  format: "flac" | "wma" | "mp3" | "m4a",
  codec: string[] = [],
  seconds = 2,
): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  await using folder = await temporaryFolder();
  const made: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const track of [1, 2, 3, 4]) {
    const name = `${track}.${format}`;
    const path = join(folder.path, name);
    const tags = {
      ...{ title: `Track ${track}`, artist: "Herons", album: "At dawn", track: `${track}` },
      ...{ REPLAYGAIN_TRACK_GAIN: "-6.02 dB", REPLAYGAIN_ALBUM_GAIN: "-12.04 dB" },
    };
    const marks = Object.entries(tags).flatMap(([tag, value]) => ["-metadata", `${tag}=${value}`]);
    await ffmpeg(
      "-f",
      "lavfi",
      "-i",
      `sine=r=44100:d=${seconds}`,
      "-ac",
      "2",
      ...marks,
      ...codec,
      path,
    );
    made[name] = await Deno.readFile(path);
  }
  return made;
}

async function ffmpeg(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("ffmpeg", {
    args: ["-v", "error", ...args],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** A second of silence as DSD, in the format of Sony (DSF). */
function dsf(): Uint8Array<ArrayBuffer> {
  const [rate, channels, block, blocks] = [2_822_400, 2, 4_096, 87];
  const length = channels * block * blocks;
  const bytes = new Uint8Array(28 + 52 + 12 + length).fill(0x69);
  const view = new DataView(bytes.buffer);
  const chunk = (at: number, name: string, size: number) => {
    bytes.set(new TextEncoder().encode(name), at);
    view.setBigUint64(at + 4, BigInt(size), true);
  };
  chunk(0, "DSD ", 28);
  view.setBigUint64(12, BigInt(bytes.length), true);
  view.setBigUint64(20, 0n, true);
  chunk(28, "fmt ", 52);
  // Version, DSD, stereo, channels, samples a second, bits.
  [1, 0, 2, channels, rate, 1].forEach((value, at) => view.setUint32(40 + at * 4, value, true));
  view.setBigUint64(64, BigInt(rate), true);
  [block, 0].forEach((value, at) => view.setUint32(72 + at * 4, value, true));
  chunk(80, "data", 12 + length);
  return bytes;
}

/**
 * Silence in the format of Monkey's Audio, which no free program writes: two frames, each with the
 * flag of silence in place of samples.
 */
function ape(): Uint8Array<ArrayBuffer> {
  const [perFrame, inLast, frameBytes] = [73_728, 14_472, 24];
  const starts = [84, 84 + frameBytes];
  const bytes = new Uint8Array(84 + 2 * frameBytes);
  const view = new DataView(bytes.buffer);
  const words = (at: number, ...values: number[]) =>
    values.forEach((value, index) => view.setUint32(at + index * 4, value, true));
  bytes.set(new TextEncoder().encode("MAC "));
  view.setUint16(4, 3990, true);
  // The lengths of: this part, the header, the table of frames, a header of WAVE, all frames.
  words(8, 52, 24, 8, 0, 2 * frameBytes);
  // The fast level, and no header of WAVE.
  [1000, 32].forEach((value, at) => view.setUint16(52 + at * 2, value, true));
  words(56, perFrame, inLast, 2);
  // Bits, channels, samples a second.
  [16, 2].forEach((value, at) => view.setUint16(68 + at * 2, value, true));
  words(72, 44_100);
  words(76, ...starts);
  // A checksum that says that flags follow, and those: both channels are silent.
  for (const start of starts) words(start, 0x8000_0000, 3);
  return bytes;
}
