/** Films and music that browsers cannot decode, as streams of segments (HLS, RFC 8216) by ffmpeg. */
import { join } from "node:path";
import { LruCache } from "../../../shared/lru_cache.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import { readStart } from "../../files/content/file_reading.ts";
import { isAmbiguous, typeOf } from "../../files/content/types.ts";
import { toVtt } from "../../files/subtitles/convert.ts";
import { CacheFolder } from "../previews/cache_folder.ts";
import { stateOf } from "../previews/images/preview_key.ts";
import type { Programs } from "../previews/media/programs/programs.ts";
import type { RecipeName } from "../previews/media/programs/recipes.ts";
import type { SegmentIndex } from "../previews/media/streams/segments.ts";
import { FilmPrograms } from "./film_programs.ts";
import { busyError, noTrack, refusal, Refusals } from "./refusals.ts";
import { type SegmentAsker, SharedConversions } from "./shared_conversions.ts";
import { checkChoice, digestOf, type Film, type StreamChoice } from "./stream_choice.ts";
import { durationRead, maxDuration, type StreamFacts, streamFactsOf } from "./stream_facts.ts";
import {
  evenTimeline,
  keyframeTimeline,
  keyframeTimes,
  quickStarts,
  soundSeconds,
  type Timeline,
} from "./timeline.ts";

/** Dependencies of {@linkcode Streams}. */
export interface StreamsOptions {
  programs: Programs;
  /** The cache folder. */
  cacheDir: string;
  /** Logs a sentence. */
  note(sentence: string): void;
  /** Maximum size of the cache, in bytes; 2 GiB by default. */
  maxCacheBytes?: number;
  /** How long somebody waits for a segment, and for a turn, in milliseconds. */
  patienceMs?: number;
}

/** How long after it was written to a file may grow on, in milliseconds. */
const growingMs = 60_000;
/** The longest script of subtitles that is converted here, in bytes: it takes this thread. */
const maxScriptBytes = 2 * 2 ** 20;
/** Codecs of subtitles that are (Advanced) SubStation Alpha. */
const scripts: ReadonlySet<string> = new Set(["ass", "ssa"]);

/** Why a film without a duration is refused. */
const unmeasured = "its duration is unknown";
/** Increment when the same file gives other segments. */
const generation = 5;
/** Size of the caches of facts and of playlists. */
const maxKnown = 200;
const defaultPatienceMs = 30_000;

/** Streams films and music. Rights are checked for every request. */
export class Streams {
  readonly #programs: FilmPrograms;
  readonly #cache: CacheFolder;
  readonly #conversions: SharedConversions;
  readonly #patienceMs: number;
  readonly #refusals = new Refusals();
  readonly #facts = new LruCache<string, StreamFacts>(maxKnown);
  readonly #keyframes = new LruCache<string, readonly number[]>(maxKnown);
  readonly #factFlights = new SingleFlight<StreamFacts>();
  readonly #keyframeFlights = new SingleFlight<readonly number[]>();
  readonly #subtitleFlights = new SingleFlight<Uint8Array<ArrayBuffer>>();

  constructor({ programs, cacheDir, note, maxCacheBytes, patienceMs }: StreamsOptions) {
    this.#programs = new FilmPrograms(programs, note);
    this.#cache = new CacheFolder(join(cacheDir, "streams"), maxCacheBytes ?? 2 * 2 ** 30);
    this.#patienceMs = patienceMs ?? defaultPatienceMs;
    this.#conversions = new SharedConversions({
      ...{ programs: this.#programs, cache: this.#cache, refusals: this.#refusals },
      patienceMs: this.#patienceMs,
    });
  }

  /** Whether films can be streamed, as far as is known now. */
  get areMade(): boolean {
    return this.#programs.can("streamFacts") && this.#programs.can("stream480");
  }

  /**
   * Looks into a film or a piece of music.
   *
   * @param size of the file when its playlist was made, in bytes: one that grows, such as a recording,
   * stays the same film
   * @throws DomainError `forbidden` without the permission to download, `not_found`, `is_folder`,
   * `not_a_file`; `not_supported` for others, for damaged ones, and where ffmpeg is not installed;
   * the signal's reason
   */
  async open(
    access: Access,
    path: EntryPath,
    signal: AbortSignal,
    size = Infinity,
  ): Promise<Film> {
    const handle = access.read(path);
    const { name, info, real } = handle;
    const type = typeOf(name, info.size, isAmbiguous(name) ? readStart(access, path) : undefined);
    if (type !== "video" && type !== "audio") {
      throw refusal(path, "it is neither a video nor music");
    }
    if (!this.areMade) throw refusal(path, "FFmpeg is not installed on the server");
    const isWritten = Date.now() - (info.mtime?.getTime() ?? 0) < growingMs;
    const hasGrown = isWritten && info.size > size;
    const state = hasGrown ? [info.dev, info.ino, "grown", size] : stateOf(info);
    const key = digestOf(generation, real, ...state);
    this.#refusals.check(path, key);
    const known = this.#facts.get(key);
    const facts = known ?? await this.#factFlights.join(key, async (abandoned) => {
      const file = { handle, path, state: info };
      const json = await this.#programs.read("streamFacts", file, {}, abandoned);
      const found = streamFactsOf(textOf(json));
      if (!found) throw this.#refusals.add(path, key, "it is damaged, or has an unknown format");
      this.#facts.set(key, found);
      return found;
    }, signal);
    return { ...facts, path, handle, state: info, key };
  }

  /**
   * A film with its duration. Where its container does not tell it, as of a recording that was
   * broken off or sent live, all of it is read.
   *
   * @throws DomainError `not_supported` where that takes too long; `busy` when the file changes;
   * the signal's reason
   */
  async measured(film: Film, signal: AbortSignal): Promise<Film> {
    const { path, key, info } = film;
    if (!film.isUnmeasured) return film;
    const own = digestOf(key, "duration");
    this.#refusals.check(path, own);
    const found = await this.#factFlights.join(own, async (abandoned) => {
      const limit = AbortSignal.any([abandoned, AbortSignal.timeout(this.#patienceMs * 4)]);
      const read = () =>
        this.#programs.read("duration", film, {}, limit).catch((error) => {
          if (abandoned.aborted || !limit.aborted) throw error;
          throw this.#refusals.add(path, own, unmeasured);
        });
      const kept = await this.#cache.read(own);
      const progress = kept ?? await read();
      if (!kept) await this.#cache.write(own, progress).catch(() => {});
      const duration = durationRead(textOf(progress));
      const { startTime, hasIndex, picturesEnd, soundEnds, areEndsSure } = film;
      const facts = {
        ...{ info: { ...info, duration }, isUnmeasured: false },
        ...{ startTime, hasIndex, picturesEnd, soundEnds, areEndsSure },
      };
      this.#facts.set(key, facts);
      return facts;
    }, signal);
    return { ...film, ...found };
  }

  /**
   * The segments of a stream.
   *
   * @throws DomainError `invalid_option` for tracks that the file does not have; `not_supported` for
   * pictures that cannot be copied, and where the duration is not known; the signal's reason
   */
  async timeline(film: Film, choice: StreamChoice, signal: AbortSignal): Promise<Timeline> {
    const { info: { duration }, path } = film;
    checkChoice(film, choice);
    if (duration === 0) throw refusal(path, unmeasured);
    if (duration > maxDuration) throw refusal(path, "it is longer than a day");
    if (choice.video === "none") return evenTimeline(duration, soundSeconds);
    // The last segment has all sound that comes after the pictures.
    if (choice.video !== "copy") return evenTimeline(Math.min(duration, film.picturesEnd));
    const timeline = keyframeTimeline(await this.#keyframesOf(film, signal), duration);
    if (!timeline) throw refusal(path, "it has too few keyframes to copy");
    return timeline;
  }

  /**
   * Where the conversion of a film begins soonest, in seconds; none for music, for an unknown
   * duration, and for films whose containers have no index of keyframes.
   *
   * @throws DomainError `not_supported` where FFmpeg takes too long; `busy` when the file changes;
   * the signal's reason
   */
  async quickStarts(film: Film, signal: AbortSignal): Promise<number[]> {
    const { hasIndex, info: { video, duration } } = film;
    if (!video || !hasIndex || duration === 0 || duration > maxDuration) return [];
    return quickStarts(await this.#keyframesOf(film, signal), evenTimeline(duration));
  }

  async #keyframesOf(film: Film, signal: AbortSignal): Promise<readonly number[]> {
    const { info: { duration }, key, startTime } = film;
    const known = this.#keyframes.get(key);
    if (known) return known;
    return await this.#keyframeFlights.join(key, async (abandoned) => {
      const text = textOf(await this.#programs.read("keyframes", film, { duration }, abandoned));
      const times = keyframeTimes(text, startTime);
      this.#keyframes.set(key, times);
      return times;
    }, signal);
  }

  /**
   * Returns a segment of a stream, or its header, from the cache or newly made.
   *
   * @throws DomainError `not_found` past the end; `not_supported` for what cannot be converted;
   * `throttled`, `busy` when too much is being converted; the signal's reason
   */
  async segment(
    film: Film,
    choice: StreamChoice,
    index: SegmentIndex,
    asker: SegmentAsker,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const timeline = await this.timeline(film, choice, asker.signal);
    return await this.#conversions.segment({ film, choice, timeline }, index, asker);
  }

  /**
   * How many turns come until a stream is converted; 0 where it does not wait.
   *
   * @throws DomainError `invalid_option`, `not_supported`; the signal's reason
   */
  async placeOf(film: Film, choice: StreamChoice, asker: SegmentAsker): Promise<number> {
    checkChoice(film, choice);
    return await this.#conversions.placeOf(film, choice, asker);
  }

  /**
   * Subtitles inside of a film, as WebVTT.
   *
   * @throws DomainError `invalid_option` for a track that it does not have; `not_supported` for
   * pictures in place of text; `busy`; the signal's reason
   */
  async subtitles(
    film: Film,
    track: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const found = film.info.subtitles[track];
    if (!found) throw noTrack("subtitle", track);
    if (!found.isText) throw refusal(film.path, "its subtitles are pictures");
    const key = digestOf(film.key, "subtitles", track);
    const kept = await this.#cache.read(key);
    if (kept) return kept;
    return await this.#subtitleFlights.join(key, async (abandoned) => {
      const limit = AbortSignal.any([abandoned, AbortSignal.timeout(this.#patienceMs * 4)]);
      const read = (recipe: RecipeName) =>
        this.#programs.read(recipe, film, { track }, limit).catch((error) => {
          throw abandoned.aborted || !limit.aborted ? error : busyError(film.path);
        });
      // Where FFmpeg converts them, drawings and comments become text.
      const script = scripts.has(found.codec) ? await read("subtitleScript") : null;
      const isShort = script !== null && script.length <= maxScriptBytes;
      const bytes = isShort
        ? new TextEncoder().encode(toVtt(textOf(script)))
        : await read("subtitleTrack");
      await this.#cache.write(key, bytes).catch(() => {});
      return bytes;
    }, signal);
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
