/** Segments of streams: from the cache, or from a conversion that all viewers share. */
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import type { CacheFolder } from "../previews/cache_folder.ts";
import { header, type SegmentIndex, Stopped } from "../previews/media/streams/segments.ts";
import type { FilmPrograms } from "./film_programs.ts";
import {
  busyError,
  changed,
  pastEnd,
  queueFullError,
  reasons,
  refusal,
  type Refusals,
} from "./refusals.ts";
import {
  digestOf,
  type Film,
  recipeFor,
  soundFor,
  type StreamChoice,
  streamKey,
} from "./stream_choice.ts";
import { lastBefore, type Timeline } from "./timeline.ts";

/** Past the time of a keyframe, so that a search of what comes before finds it, in seconds. */
const pastKeyframe = 0.01;

/** Dependencies of {@linkcode SharedConversions}. */
export interface SharedConversionsOptions {
  programs: FilmPrograms;
  cache: CacheFolder;
  refusals: Refusals;
  /** How long somebody waits for a turn, and then for a segment, in milliseconds. */
  patienceMs: number;
}

/** A stream, and where its segments begin. */
export interface Stream {
  film: Film;
  choice: StreamChoice;
  timeline: Timeline;
}

/** Who asks for a segment. */
export interface SegmentAsker {
  /** The place that the player begins at, for the header. */
  near?: number;
  /** The key of the user, who has one conversion at a time. */
  owner: string;
  signal: AbortSignal;
}

/** Makes segments of streams, and keeps them in the cache. */
export class SharedConversions {
  readonly #options: SharedConversionsOptions;
  readonly #flights = new SingleFlight<Uint8Array<ArrayBuffer>>();

  constructor(options: SharedConversionsOptions) {
    this.#options = options;
  }

  /**
   * Returns a segment of a stream, or its header, from the cache or newly made.
   *
   * @throws DomainError `not_found` past the end; `not_supported` for what cannot be converted;
   * `throttled`, `busy` when too much is being converted; the signal's reason
   */
  async segment(
    stream: Stream,
    index: SegmentIndex,
    asker: SegmentAsker,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { film: { path }, timeline } = stream;
    const { cache, refusals } = this.#options;
    if (index >= timeline.starts.length) throw pastEnd(path);
    const key = streamKey(stream.film, stream.choice);
    const own = segmentKey(key, index);
    const kept = await cache.read(own);
    if (kept) return kept;
    refusals.check(path, key);
    return await this.#flights.join(own, async (abandoned) => {
      const bytes = await this.#make(stream, key, index, asker, abandoned);
      // What the disk refuses is made again next time.
      await cache.write(own, bytes).catch(() => {});
      await cache.sweep();
      return bytes;
    }, asker.signal);
  }

  /** How many turns come until a stream is converted; 0 where it does not wait. */
  async placeOf(
    film: Film,
    choice: StreamChoice,
    { owner, signal }: SegmentAsker,
  ): Promise<number> {
    const place = { stream: streamKey(film, choice), owner };
    return await this.#options.programs.placeOf(place, signal);
  }

  async #make(
    { film, choice, timeline: { starts } }: Stream,
    stream: string,
    index: SegmentIndex,
    { near = 0, owner }: SegmentAsker,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { programs, refusals, patienceMs } = this.#options;
    const from = index === header ? lastBefore(starts, near) : index;
    const request = {
      ...{ stream, owner, index, from, starts, patienceMs },
      lead: choice.video === "copy" ? pastKeyframe : 0,
    };
    try {
      const numbers = { track: choice.audio, ...soundFor(film, choice, starts[from] ?? 0) };
      return await programs.segment(recipeFor(film, choice), film, numbers, request, signal);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const { why, failure } = error;
      if (why === "unrunnable") throw programs.unrunnable(film, failure);
      // The file is there, and nothing in it.
      if (why === "ended" && from === 0) throw refusal(film.path, reasons.failed);
      if (why === "slow" || why === "failed") {
        throw refusals.add(film.path, stream, reasons[why]);
      }
      if (why === "changed") throw changed(film);
      const others = { ended: pastEnd, full: queueFullError, busy: busyError } as const;
      throw others[why === "unneeded" ? "busy" : why](film.path);
    }
  }
}

function segmentKey(stream: string, index: SegmentIndex): string {
  return digestOf(stream, index);
}
