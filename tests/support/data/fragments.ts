/** Fragmented MP4 of a few bytes, as ffmpeg cuts it. */
import { joined } from "../../../lib/shared/joined.ts";

const scale = 1_000;

/** What comes before all fragments: one track. */
export function headerBytes(): Uint8Array<ArrayBuffer> {
  const track = box("tkhd", [0, 0, 0, 1]);
  const media = box("mdia", box("mdhd", [0, 0, 0, scale]));
  return joined([box("ftyp", []), box("moov", joined([box("trak", joined([track, media]))]))]);
}

/** A fragment that begins at a time in seconds, with some content. */
export function fragmentBytes(seconds: number, content: string): Uint8Array<ArrayBuffer> {
  const head = box("tfhd", [0, 1]);
  const time = box("tfdt", [0, Math.round(seconds * scale)]);
  const moof = box("moof", box("traf", joined([head, time])));
  return joined([moof, box("mdat", new TextEncoder().encode(`${content} of a picture`))]);
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
