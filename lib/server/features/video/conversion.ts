import { joined } from "../../../shared/joined.ts";
import { FragmentReader } from "./fragments.ts";

/** A segment of a playlist by its place; {@linkcode header} for what comes before all of them. */
export type SegmentIndex = number;

/** The place of what every player reads before the first segment. */
export const header: SegmentIndex = -1;

/** Segments that a conversion makes before it leaves its turn to others. */
const segmentsOfTurn = 4;
/** Segments that are made before somebody asks for them. */
const segmentsAhead = 8;
/** Segments from where a conversion is, up to which it is waited for instead of starting another. */
const segmentsNear = 4;
/** How long a conversion waits for somebody who asks, in milliseconds. */
const idleMs = 20_000;
/** Tolerance of times in a stream, in seconds. */
const slackSeconds = 0.05;

/** What times in streams begin with, in seconds: sound may begin before its pictures. */
export const streamOffset = 10;

/** How a conversion is run, and what becomes of its output. */
export interface ConversionOptions {
  /** The first segment. */
  from: SegmentIndex;
  /** Where each segment begins, in seconds. */
  starts: readonly number[];
  /** The key of the user who asked first. */
  owner: string;
  /** Keeps a segment. @throws where the file has changed meanwhile */
  keep(index: SegmentIndex, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Whether others wait for a turn. */
  othersWait(): boolean;
  /** How long somebody waits for a segment, in milliseconds. */
  patienceMs: number;
}

interface Waiting {
  index: SegmentIndex;
  resolve(bytes: Uint8Array<ArrayBuffer>): void;
  reject(error: unknown): void;
}

/**
 * Why a conversion ended before a segment was made: it was not needed any more, and whoever asks
 * again starts another; the film has ended; it was too slow; no turn came; ffmpeg could not read it.
 */
export type StopReason = "unneeded" | "ended" | "slow" | "busy" | "failed";

/** Ends a conversion. */
export class Stopped extends Error {
  constructor(readonly why: StopReason) {
    super(why);
  }
}

/** A run of ffmpeg that makes the segments of a film one after another, a bit ahead of its viewers. */
export class Conversion {
  readonly owner: string;
  /** The first segment that it makes. */
  readonly from: SegmentIndex;
  readonly #options: ConversionOptions;
  readonly #reader = new FragmentReader();
  readonly #abort = new AbortController();
  readonly #waiting = new Set<Waiting>();
  /** The segment that is being made, and its fragments. */
  #current: SegmentIndex;
  #fragments: Uint8Array<ArrayBuffer>[] = [];
  #header: Uint8Array<ArrayBuffer> | null = null;
  /** The furthest segment that was asked for. */
  #asked: SegmentIndex;
  #wake = Promise.withResolvers<void>();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #hasBegun = false;
  #made = 0;

  constructor(options: ConversionOptions) {
    this.#options = options;
    this.owner = options.owner;
    this.from = options.from;
    this.#current = this.#asked = options.from;
    this.#rest();
  }

  /** Aborted when it is to end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether it has made anything. */
  get hasMade(): boolean {
    return this.#made > 0;
  }

  /** Nobody waits for one of its segments. */
  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether it will soon come to a segment. */
  willMake(index: SegmentIndex): boolean {
    if (this.#abort.signal.aborted) return false;
    if (index === header) return true;
    return index >= this.#current && index <= this.#current + segmentsNear;
  }

  /** Call it when its turn has come. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** Ends it where others wait for a turn, after some work and unless somebody waits for it. */
  yieldTurn(): void {
    if (this.isIdle && this.#made >= segmentsOfTurn && this.#options.othersWait()) this.stop();
  }

  /** Waits for a segment. @throws Stopped; what it was stopped with; the signal's reason */
  async wait(index: SegmentIndex, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (index === header && this.#header) return this.#header;
    signal.throwIfAborted();
    this.#abort.signal.throwIfAborted();
    clearTimeout(this.#idle);
    this.#asked = Math.max(this.#asked, index);
    this.#wake.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const waiting: Waiting = { index, resolve, reject };
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.add(waiting);
    const late = setTimeout(
      () => this.stop(new Stopped(this.#hasBegun ? "slow" : "busy")),
      this.#options.patienceMs,
    );
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", leave);
      this.#waiting.delete(waiting);
      if (this.isIdle) {
        this.#rest();
        this.yieldTurn();
      }
    }
  }

  /** Takes output of ffmpeg. It settles once more is wanted. @throws Stopped; RangeError */
  async receive(bytes: Uint8Array): Promise<void> {
    for (const part of this.#reader.push(bytes)) {
      if (part.is === "init") {
        this.#header = part.bytes;
        await this.#keep(header, part.bytes);
        continue;
      }
      const index = Number.isNaN(part.seconds)
        ? this.#current
        : this.#placeOf(part.seconds - streamOffset);
      // Before its first segment: pictures that the first keyframe does not need.
      if (index < this.#current) {
        if (this.#fragments.length === 0) continue;
      } else if (index > this.#current) {
        await this.#finish();
        this.#current = index;
        this.#refusePassed();
        this.yieldTurn();
      }
      this.#fragments.push(part.bytes);
    }
    while (this.#current > this.#asked + segmentsAhead) {
      this.#abort.signal.throwIfAborted();
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
    this.#abort.signal.throwIfAborted();
  }

  /** Keeps the last segment. */
  async end(): Promise<void> {
    await this.#finish();
  }

  /** Ends it, with an error for whoever waits. */
  stop(reason: unknown = new Stopped("unneeded")): void {
    clearTimeout(this.#idle);
    if (!this.#abort.signal.aborted) this.#abort.abort(reason);
    this.#wake.resolve();
    for (const { reject } of this.#waiting) reject(reason);
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.stop(), idleMs);
  }

  /** Refuses segments that the film has no pictures for. */
  #refusePassed(): void {
    for (const { index, reject } of this.#waiting) {
      if (index !== header && index < this.#current) reject(new Stopped("ended"));
    }
  }

  async #finish(): Promise<void> {
    if (this.#fragments.length === 0) return;
    const bytes = joined(this.#fragments);
    this.#fragments = [];
    this.#made++;
    await this.#keep(this.#current, bytes);
  }

  async #keep(index: SegmentIndex, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#options.keep(index, bytes);
    for (const waiting of this.#waiting) {
      if (waiting.index === index) waiting.resolve(bytes);
    }
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
