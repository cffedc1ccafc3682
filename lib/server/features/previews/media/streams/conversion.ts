import { joined } from "../../../../../shared/joined.ts";
import { FragmentReader } from "./fragments.ts";
import { header, type SegmentIndex, Stopped, streamOffset } from "./segments.ts";

/** Segments that are made before somebody asks for them, their seconds, and most bytes of them. */
const segmentsAhead = 8;
const secondsAhead = 16;
const maxBytesAhead = 24 * 2 ** 20;
/** Segments from where a conversion is, up to which it is waited for instead of starting another. */
const segmentsNear = 4;
/** Tolerance of times in a stream, in seconds. */
const slackSeconds = 0.05;

/** What a conversion makes, and what becomes of it. */
export interface ConversionOptions {
  /** The first segment. */
  from: SegmentIndex;
  /** Where each segment begins, in seconds. */
  starts: readonly number[];
  /** The key of the user whose turn it takes. */
  owner: string;
  /** Takes a segment. */
  keep(index: SegmentIndex, bytes: Uint8Array<ArrayBuffer>): void;
  /** Called when it comes to a segment: it makes none before. */
  reached(index: SegmentIndex): void;
}

/** A run of ffmpeg that makes the segments of a film one after another, a bit ahead of its viewers. */
export class Conversion {
  /** The first segment that it makes. */
  readonly from: SegmentIndex;
  /** The key of the user whose turn it has, or waits for. */
  owner: string;
  readonly #options: ConversionOptions;
  readonly #reader = new FragmentReader();
  readonly #abort = new AbortController();
  /** The segment that is being made, and its fragments. */
  #current: SegmentIndex;
  #fragments: Uint8Array<ArrayBuffer>[] = [];
  /** The furthest segment that was asked for, and the bytes of those beyond. */
  #asked: SegmentIndex;
  readonly #ahead = new Map<SegmentIndex, number>();
  #wake = Promise.withResolvers<void>();
  #beganAt = Infinity;
  #wantedAt = -Infinity;
  #made = 0;

  constructor(options: ConversionOptions) {
    this.#options = options;
    this.owner = options.owner;
    this.from = this.#current = this.#asked = options.from;
  }

  /** Aborted, with a {@linkcode Stopped}, when it is to end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why it was stopped; null while it was not. */
  get stopped(): Stopped | null {
    return this.#abort.signal.aborted ? this.#abort.signal.reason : null;
  }

  /** How many segments it has made. */
  get made(): number {
    return this.#made;
  }

  /** When its turn came, in milliseconds since 1970; `Infinity` before. */
  get beganAt(): number {
    return this.#beganAt;
  }

  /** Whether its turn has come. */
  get hasBegun(): boolean {
    return this.#beganAt !== Infinity;
  }

  /**
   * When somebody asked for one of its segments or got it, in milliseconds since 1970; `-Infinity`
   * after a viewer has hung up.
   */
  get wantedAt(): number {
    return this.#wantedAt;
  }

  /** Whether it will soon come to a segment. */
  willMake(index: SegmentIndex): boolean {
    if (this.#abort.signal.aborted) return false;
    if (index === header) return true;
    return index >= this.#current && index <= this.#current + segmentsNear;
  }

  /** Whether it has made a segment, or will soon come to it. */
  covers(index: SegmentIndex): boolean {
    return index >= this.from && index <= this.#current + segmentsNear;
  }

  /** Call it when its turn has come. */
  begin(): void {
    this.#beganAt = Date.now();
  }

  /** Call it when somebody asks for a segment that it will make, or has made ahead. */
  ask(index: SegmentIndex): void {
    this.#wantedAt = Date.now();
    this.#asked = Math.max(this.#asked, index);
    for (const at of this.#ahead.keys()) if (at <= this.#asked) this.#ahead.delete(at);
    this.#wake.resolve();
  }

  /** Call it when somebody hangs up who waited for a segment. */
  leave(): void {
    this.#wantedAt = -Infinity;
  }

  /** Call it when somebody gets a segment that it has made. */
  hand(): void {
    this.#wantedAt = Date.now();
  }

  /** Takes output of ffmpeg. It settles once more is wanted. @throws Stopped; RangeError */
  async receive(bytes: Uint8Array): Promise<void> {
    for (const part of this.#reader.push(bytes)) {
      if (part.is === "init") {
        this.#options.keep(header, part.bytes);
        continue;
      }
      const index = Number.isNaN(part.seconds)
        ? this.#current
        : this.#placeOf(part.seconds - streamOffset);
      // Before its first segment: pictures that the first keyframe does not need.
      if (index < this.#current) {
        if (this.#fragments.length === 0 && this.#made === 0) continue;
      } else if (index > this.#current) {
        this.#goOn(index);
      }
      this.#fragments.push(part.bytes);
      // Whole without a look at the next fragment, which takes as long to make as this one.
      const next = this.#options.starts[this.#current + 1] ?? Infinity;
      if (part.until - streamOffset + slackSeconds >= next) this.#goOn(this.#current + 1);
    }
    while (this.#isFarAhead && !this.#abort.signal.aborted) {
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
    this.#abort.signal.throwIfAborted();
  }

  /** Keeps the segment that is being made: it is whole. */
  end(): void {
    if (this.#fragments.length === 0) return;
    const bytes = joined(this.#fragments);
    this.#fragments = [];
    this.#made++;
    if (this.#current > this.#asked) this.#ahead.set(this.#current, bytes.length);
    this.#options.keep(this.#current, bytes);
  }

  /** Ends the segment that is being made, and goes on with another. */
  #goOn(index: SegmentIndex): void {
    this.end();
    this.#current = index;
    this.#options.reached(index);
  }

  /** Ends it. */
  stop(reason: Stopped): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(reason);
    this.#wake.resolve();
  }

  get #isFarAhead(): boolean {
    const bytes = this.#ahead.values().reduce((sum, length) => sum + length, 0);
    const timeOf = (index: SegmentIndex) => this.#options.starts[index] ?? 0;
    const isFar = this.#current > this.#asked + segmentsAhead &&
      timeOf(this.#current) > timeOf(this.#asked) + secondsAhead;
    return isFar || bytes > maxBytesAhead;
  }

  /** The segment that a time belongs to. */
  #placeOf(seconds: number): SegmentIndex {
    const { starts } = this.#options;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? Infinity) <= seconds + slackSeconds) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
