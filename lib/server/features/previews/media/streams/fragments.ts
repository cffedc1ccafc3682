/** Fragmented MP4 as ffmpeg prints it, cut where its fragments begin (ISO/IEC 14496-12). */
import { joined } from "../../../../../shared/joined.ts";

/** When a fragment is shown, in seconds; NaN where it does not tell. */
interface Span {
  seconds: number;
  /** When its last sample ends, and the next fragment begins. */
  until: number;
}

/** A part of a stream: what comes before all fragments, or a fragment and its time. */
export type StreamPart =
  | { is: "init"; bytes: Uint8Array<ArrayBuffer> }
  | { is: "fragment"; bytes: Uint8Array<ArrayBuffer> } & Span;

const noSpan: Span = { seconds: NaN, until: NaN };

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
  #span: Span = noSpan;
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
    if (type === "moof") this.#span = spanOf(bytes, this.#track);
    if (type !== "mdat") return null;
    return { is: "fragment", ...this.#span, bytes: this.#flush() };
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

/** When the samples of a track are shown in a fragment. */
function spanOf(moof: Uint8Array, track: Track | null): Span {
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
    const runs = [...boxesIn(view, traf.content, traf.end)].filter(({ type }) => type === "trun");
    const usual = usualDuration(view, head);
    const start = decoded + shownAfter(view, runs[0]);
    const length = runs.reduce((sum, run) => sum + durationOf(view, run, usual), 0);
    return {
      seconds: start / track.scale,
      until: runs.length > 0 ? (start + length) / track.scale : NaN,
    };
  }
  return noSpan;
}

/** The duration of samples that tell none of their own, in ticks. */
function usualDuration(view: DataView, { content, end }: Box): number {
  const flags = view.getUint32(content) & 0xffffff;
  if ((flags & 0x8) === 0) return NaN;
  const at = content + 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
  return at + 4 <= end ? view.getUint32(at) : NaN;
}

/** How long the samples of a run are shown, in ticks. */
function durationOf(view: DataView, { content, end }: Box, usual: number): number {
  const flags = view.getUint32(content) & 0xffffff;
  const count = view.getUint32(content + 4);
  if ((flags & 0x100) === 0) return count * usual;
  const first = content + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const step = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
  if (first + count * step > end) return NaN;
  let sum = 0;
  for (let at = first; at < first + count * step; at += step) sum += view.getUint32(at);
  return sum;
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
