/** Conversions that all viewers of a stream share, one for each user at a time. */
import { type Capacity, FairQueue } from "../../core/concurrency/fair_queue.ts";
import type { CacheFolder } from "../previews/cache_folder.ts";
import { maxStreams } from "../previews/media/programs/limits.ts";
import { Conversion, header, type SegmentIndex, Stopped, streamOffset } from "./conversion.ts";
import type { FilmPrograms } from "./film_programs.ts";
import { busyError, pastEnd, queueFullError, reasons, type Refusals } from "./refusals.ts";
import { digestOf, type Film, recipeFor, type StreamChoice, streamKey } from "./stream_choice.ts";
import { lastBefore, type Timeline } from "./timeline.ts";

/** Past the time of a keyframe, so that a search of what comes before finds it, in seconds. */
const pastKeyframe = 0.01;
/** Most requests of one user that wait for their turn. */
const maxWaiting = 4;
/** Attempts after a conversion ended that was waited for. */
const maxAttempts = 3;

/** Dependencies of {@linkcode SharedConversions}. */
export interface SharedConversionsOptions {
  programs: FilmPrograms;
  cache: CacheFolder;
  refusals: Refusals;
  /** How long somebody waits for a segment, and for a turn, in milliseconds. */
  patienceMs: number;
}

/** A stream, and where its segments begin. */
export interface Stream {
  film: Film;
  choice: StreamChoice;
  timeline: Timeline;
}

/** A few conversions at a time, and one for each user. */
class OneForEach implements Capacity {
  readonly isStrict = false;
  readonly #taken = new Set<string>();

  has(owner: string): boolean {
    return this.#taken.size < maxStreams && !this.#taken.has(owner);
  }

  take(owner: string): void {
    this.#taken.add(owner);
  }

  give(owner: string): void {
    this.#taken.delete(owner);
  }
}

/** Makes segments of streams, and keeps them in the cache. */
export class SharedConversions {
  readonly #options: SharedConversionsOptions;
  /** The conversions of each stream. */
  readonly #running = new Map<string, Set<Conversion>>();
  readonly #queue = new FairQueue({
    capacity: new OneForEach(),
    waiting: { max: maxWaiting, refuse: queueFullError },
  });
  /** Conversions that wait for their turn. */
  #waiting = 0;

  constructor(options: SharedConversionsOptions) {
    this.#options = options;
  }

  /**
   * Returns a segment of a stream, or its header, from the cache or newly made.
   *
   * @param near the place that the player begins at, for the header
   * @param owner key of the user, who has one conversion at a time
   * @throws DomainError `not_found` past the end; `not_supported` for what cannot be converted;
   * `throttled`, `busy` when too much is being converted; the signal's reason
   */
  async segment(
    stream: Stream,
    index: SegmentIndex,
    { near = 0, owner, signal }: { near?: number; owner: string; signal: AbortSignal },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { film: { path }, timeline } = stream;
    const { cache, refusals } = this.#options;
    if (index >= timeline.starts.length) throw pastEnd(path);
    const key = streamKey(stream.film, stream.choice);
    const place = index === header ? lastBefore(timeline.starts, near) : index;
    for (let tries = 1;; tries++) {
      const kept = await cache.read(segmentKey(key, index));
      if (kept) return kept;
      refusals.check(path, key);
      const conversion = this.#conversionFor(stream, key, index, place, owner);
      try {
        return await conversion.wait(index, signal);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        const { why } = error;
        if (why === "ended") throw pastEnd(path);
        if (why === "slow" || why === "failed") throw refusals.add(path, key, reasons[why]);
        if (why === "busy" || tries === maxAttempts) throw busyError(path);
      }
    }
  }

  /** Ends all conversions. */
  close(): void {
    for (const conversion of this.#all()) conversion.stop();
  }

  /** The conversion that will make a segment: one under way, or a new one. */
  #conversionFor(
    stream: Stream,
    key: string,
    index: SegmentIndex,
    from: SegmentIndex,
    owner: string,
  ): Conversion {
    const { cache, patienceMs } = this.#options;
    const others = this.#running.get(key) ?? new Set();
    const near = others.values().find((conversion) => conversion.willMake(index));
    if (near) return near;
    // The user looks at another place, or another film.
    for (const other of this.#all()) {
      if (other.owner === owner && other.isIdle) other.stop();
    }
    const conversion = new Conversion({
      ...{ from, owner, starts: stream.timeline.starts, patienceMs },
      async keep(at, bytes) {
        // What the disk refuses is made again next time.
        await cache.write(segmentKey(key, at), bytes).catch(() => {});
        await cache.sweep();
      },
      othersWait: () => this.#waiting > 0,
    });
    others.add(conversion);
    this.#running.set(key, others);
    void this.#run(stream, conversion).finally(() => {
      others.delete(conversion);
      if (others.size === 0) this.#running.delete(key);
    });
    return conversion;
  }

  /** Runs a conversion to its end, once its turn has come. */
  async #run({ film, choice, timeline }: Stream, conversion: Conversion) {
    const { signal, owner, from } = conversion;
    this.#waiting++;
    try {
      for (const other of this.#all()) other.yieldTurn();
      await this.#queue.acquire(owner, 1, signal);
    } catch (error) {
      return conversion.stop(error);
    } finally {
      this.#waiting--;
    }
    try {
      conversion.begin();
      const place = timeline.starts[from] ?? 0;
      const start = place === 0 ? 0 : place + (choice.video === "copy" ? pastKeyframe : 0);
      const { status, isStopped } = await this.#options.programs.stream(
        recipeFor(film, choice),
        film,
        {
          signal,
          numbers: { start, offset: start + streamOffset, track: choice.audio },
          receive: (bytes) => conversion.receive(bytes),
        },
      );
      await conversion.end();
      const isRead = conversion.hasMade || status === 0;
      conversion.stop(new Stopped(isRead ? "ended" : isStopped ? "slow" : "failed"));
    } catch (error) {
      conversion.stop(error instanceof RangeError ? new Stopped("failed") : error);
    } finally {
      this.#queue.release(owner, 1);
    }
  }

  *#all(): Generator<Conversion> {
    for (const conversions of this.#running.values()) yield* conversions;
  }
}

function segmentKey(stream: string, index: SegmentIndex): string {
  return digestOf(stream, index);
}
