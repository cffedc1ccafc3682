/** Fragmented MP4 of a few bytes, as ffmpeg cuts it. */
import { joined } from "../../../lib/shared/joined.ts";

const scale = 1_000;

/** What comes before all fragments: one track. */
export function headerBytes(): Uint8Array<ArrayBuffer> {
  const track = box("tkhd", [0, 0, 0, 1]);
  const media = box("mdia", box("mdhd", [0, 0, 0, scale]));
  return joined([box("ftyp", []), box("moov", joined([box("trak", joined([track, media]))]))]);
}

/** How a fragment tells the durations of its samples: all alike, or each its own. */
export type Durations = { count: number; each: number } | number[];

/** A fragment that begins at a time in seconds, with some content. */
export function fragmentBytes(
  seconds: number,
  content: string,
  durations?: Durations,
): Uint8Array<ArrayBuffer> {
  const isAlike = durations !== undefined && !Array.isArray(durations);
  const head = box("tfhd", isAlike ? [0x20008, 1, Math.round(durations.each * scale)] : [0, 1]);
  const time = box("tfdt", [0, Math.round(seconds * scale)]);
  const runs = durations === undefined ? [] : [runOf(durations)];
  const moof = box("moof", box("traf", joined([head, time, ...runs])));
  return joined([moof, box("mdat", new TextEncoder().encode(`${content} of a picture`))]);
}

/** Samples of 100 bytes each: with the place of their data, and with durations of their own. */
function runOf(durations: Durations): Uint8Array<ArrayBuffer> {
  if (!Array.isArray(durations)) return box("trun", [0x1, durations.count, 0]);
  const samples = durations.flatMap((seconds) => [Math.round(seconds * scale), 100]);
  return box("trun", [0x301, durations.length, 0, ...samples]);
}

/** A box of bytes, or of numbers of 32 bits. */
function box(type: string, content: Uint8Array | number[]): Uint8Array<ArrayBuffer> {
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content.length * 4);
  if (!(content instanceof Uint8Array)) {
    content.forEach((number, at) => new DataView(bytes.buffer).setUint32(at * 4, number));
  }
  const whole = new Uint8Array(8 + bytes.length);
  new DataView(whole.buffer).setUint32(0, whole.length);
  whole.set(new TextEncoder().encode(type), 4);
  whole.set(bytes, 8);
  return whole;
}
