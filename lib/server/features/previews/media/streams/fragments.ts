/** Fragmented MP4 as ffmpeg prints it, cut where its fragments begin (ISO/IEC 14496-12). */
import { joined } from "../../../../../shared/joined.ts";

/** A part of a stream: what comes before all fragments, or a fragment and its time. */
export type StreamPart =
  | { is: "init"; bytes: Uint8Array<ArrayBuffer> }
  | { is: "fragment"; bytes: Uint8Array<ArrayBuffer>; seconds: number };

/** The largest fragment that is taken, in bytes: it lies in memory. */
const maxFragmentBytes = 96 * 2 ** 20;

/** A track and the ticks of its clock in a second. */
interface Track {
  id: number;
  scale: number;
}

/** A box: where its content begins and ends. */
interface Box {
  type: string;
  start: number;
  content: number;
  end: number;
}

/** Cuts the output of ffmpeg into the header and fragments. */
export class FragmentReader {
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** The whole boxes of the part that is being read. */
  #boxes: Uint8Array<ArrayBuffer>[] = [];
  #track: Track | null = null;
  #seconds = 0;
  #held = 0;

  /**
   * Takes the next bytes, and returns the parts that are whole with them.
   *
   * @throws RangeError for a fragment that is too large, and for bytes that are no MP4
   */
  push(bytes: Uint8Array): StreamPart[] {
    this.#chunks.push(new Uint8Array(bytes));
    this.#length += bytes.length;
    const parts: StreamPart[] = [];
    for (let box = this.#next(); box; box = this.#next()) {
      const part = this.#take(box);
      if (part) parts.push(part);
    }
    return parts;
  }

  /** The next whole box; null until it has come. */
  #next(): { type: string; bytes: Uint8Array<ArrayBuffer> } | null {
    if (this.#length < 16) return null;
    const head = this.#peek(16);
    const view = new DataView(head.buffer);
    const short = view.getUint32(0);
    const size = short === 1 ? Number(view.getBigUint64(8)) : short;
    const type = nameOf(view, 4);
    if (size < 8 || size + this.#held > maxFragmentBytes) {
      throw new RangeError("Cannot cut the stream: a fragment is too large");
    }
    if (this.#length < size) return null;
    const all = this.#peek(this.#length);
    this.#chunks = [all.subarray(size)];
    this.#length -= size;
    return { type, bytes: all.slice(0, size) };
  }

  #peek(length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk.subarray(0, length - at), at);
      at += Math.min(chunk.length, length - at);
      if (at === length) break;
    }
    return bytes;
  }

  #take({ type, bytes }: { type: string; bytes: Uint8Array<ArrayBuffer> }): StreamPart | null {
    // What ends the stream: indexes of what was sent already.
    if (type === "mfra" || type === "free" || type === "sidx" || type === "styp") return null;
    this.#boxes.push(bytes);
    this.#held += bytes.length;
    if (type === "moov") {
      this.#track = firstTrack(bytes);
      return { is: "init", bytes: this.#flush() };
    }
    if (type === "moof") this.#seconds = timeOf(bytes, this.#track);
    if (type !== "mdat") return null;
    return { is: "fragment", seconds: this.#seconds, bytes: this.#flush() };
  }

  #flush(): Uint8Array<ArrayBuffer> {
    const whole = joined(this.#boxes);
    [this.#boxes, this.#held] = [[], 0];
    return whole;
  }
}

function* boxesIn(view: DataView, from: number, to: number): Generator<Box> {
  for (let start = from; start + 8 <= to;) {
    const size = view.getUint32(start);
    if (size < 8 || start + size > to) return;
    yield { type: nameOf(view, start + 4), start, content: start + 8, end: start + size };
    start += size;
  }
}

function find(view: DataView, within: Box, ...names: string[]): Box | undefined {
  let at: Box | undefined = within;
  for (const name of names) {
    at = at && boxesIn(view, at.content, at.end).find(({ type }) => type === name);
  }
  return at;
}

/** The first track of the header: of pictures, where there are some. */
function firstTrack(moov: Uint8Array): Track | null {
  const view = new DataView(moov.buffer, moov.byteOffset, moov.length);
  const all: Box = { type: "moov", start: 0, content: 8, end: moov.length };
  const trak = find(view, all, "trak");
  const head = trak && find(view, trak, "tkhd");
  const media = trak && find(view, trak, "mdia", "mdhd");
  if (!head || !media) return null;
  const isLong = (box: Box) => view.getUint8(box.content) === 1;
  return {
    id: view.getUint32(head.content + (isLong(head) ? 20 : 12)),
    scale: view.getUint32(media.content + (isLong(media) ? 20 : 12)) || 1,
  };
}

/** The time at which the first sample of a track is shown in a fragment, in seconds. */
function timeOf(moof: Uint8Array, track: Track | null): number {
  const view = new DataView(moof.buffer, moof.byteOffset, moof.length);
  const all: Box = { type: "moof", start: 0, content: 8, end: moof.length };
  for (const traf of boxesIn(view, all.content, all.end)) {
    if (traf.type !== "traf") continue;
    const head = find(view, traf, "tfhd");
    const time = find(view, traf, "tfdt");
    if (!head || !time || !track || view.getUint32(head.content + 4) !== track.id) continue;
    const isLong = view.getUint8(time.content) === 1;
    const decoded = isLong
      ? Number(view.getBigInt64(time.content + 4))
      : view.getUint32(time.content + 4);
    return (decoded + shownAfter(view, find(view, traf, "trun"))) / track.scale;
  }
  return NaN;
}

/** How long after it is decoded the first sample of a run is shown, in ticks. */
function shownAfter(view: DataView, run: Box | undefined): number {
  if (!run) return 0;
  const flags = view.getUint32(run.content) & 0xffffff;
  if ((flags & 0x800) === 0) return 0;
  const before = [0x1, 0x4, 0x100, 0x200, 0x400].filter((flag) => flags & flag).length;
  const at = run.content + 8 + before * 4;
  return at + 4 <= run.end ? view.getInt32(at) : 0;
}

function nameOf(view: DataView, at: number): string {
  return String.fromCharCode(
    ...[0, 1, 2, 3].map((index) => view.getUint8(at + index)),
  );
}
