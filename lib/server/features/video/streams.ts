/** Films and music that browsers cannot decode, as streams of segments (HLS, RFC 8216) by ffmpeg. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DomainError } from "../../../shared/errors.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { StreamPictures } from "../../../shared/schemas/stream.ts";
import type { Access } from "../../core/access/access.ts";
import type { Facts } from "../../core/disk/facts.ts";
import type { FileHandle } from "../../core/access/file_handle.ts";
import { type Capacity, FairQueue } from "../../core/concurrency/fair_queue.ts";
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import { readStart } from "../../files/content/file_reading.ts";
import { isAmbiguous, typeOf } from "../../files/content/types.ts";
import { CacheFolder } from "../previews/cache_folder.ts";
import { isSameState, stateOf } from "../previews/images/preview_key.ts";
import { maxStreams } from "../previews/media/programs/limits.ts";
import type { Programs } from "../previews/media/programs/programs.ts";
import {
  type RecipeName,
  type RecipeNumbers,
  segmentSeconds,
} from "../previews/media/programs/recipes.ts";
import {
  Conversion,
  header,
  type SegmentIndex,
  Stopped,
  type StopReason,
  streamOffset,
} from "./conversion.ts";
import { type StreamFacts, streamFactsOf } from "./stream_facts.ts";

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

/** How a film is to be streamed. */
export interface StreamChoice {
  video: StreamPictures;
  /** The place of the audio track. */
  audio: number;
}

/** A film as its viewer may read it, with what is in it. */
export interface Film extends StreamFacts {
  path: EntryPath;
  handle: FileHandle;
  /** Its state, and the key of that. */
  state: Facts;
  key: string;
}

/** A playlist: where its segments begin, and where the last one ends, in seconds. */
export interface Timeline {
  starts: readonly number[];
  end: number;
}

/** Increment when the same file gives other segments. */
const generation = 1;
/** Size of the caches of facts and of playlists. */
const maxKnown = 200;
/** The longest film, in seconds: a day. */
const maxDuration = 24 * 60 * 60;
/** The longest segment of copied pictures, in seconds: it lies in memory. */
const maxCopiedSeconds = 20;
/** The least length of a segment of copied pictures, in seconds. */
const minCopiedSeconds = 2;
/** Past the time of a keyframe, so that a search of what comes before finds it, in seconds. */
const pastKeyframe = 0.01;
/** Most requests of one user that wait for their turn. */
const maxWaiting = 4;
/** Attempts after a conversion ended that was waited for. */
const maxAttempts = 3;
/** Lifetime of a refusal, in milliseconds. */
const refusedMs = 10 * 60_000;
const defaultPatienceMs = 30_000;

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

/** Streams films and music. Rights are checked for every request. */
export class Streams {
  readonly #programs: Programs;
  readonly #cache: CacheFolder;
  readonly #note: (sentence: string) => void;
  readonly #patienceMs: number;
  readonly #facts = new LruCache<string, StreamFacts>(maxKnown);
  readonly #timelines = new LruCache<string, Timeline>(maxKnown);
  readonly #refused = new LruCache<string, { reason: string; until: number }>(maxKnown);
  readonly #factFlights = new SingleFlight<StreamFacts>();
  readonly #timelineFlights = new SingleFlight<Timeline>();
  readonly #subtitleFlights = new SingleFlight<Uint8Array<ArrayBuffer>>();
  /** The conversions of each stream. */
  readonly #running = new Map<string, Set<Conversion>>();
  readonly #queue = new FairQueue({
    capacity: new OneForEach(),
    waiting: { max: maxWaiting, refuse: queueFullError },
  });
  /** Conversions that wait for their turn. */
  #waiting = 0;

  constructor({ programs, cacheDir, note, maxCacheBytes, patienceMs }: StreamsOptions) {
    this.#programs = programs;
    this.#cache = new CacheFolder(join(cacheDir, "streams"), maxCacheBytes ?? 2 * 2 ** 30);
    this.#note = note;
    this.#patienceMs = patienceMs ?? defaultPatienceMs;
  }

  /** Whether films can be streamed, as far as is known now. */
  get areMade(): boolean {
    return this.#programs.can("streamFacts") && this.#programs.can("stream480");
  }

  /**
   * Looks into a film or a piece of music.
   *
   * @throws DomainError `forbidden` without the permission to download, `not_found`, `is_folder`,
   * `not_a_file`; `not_supported` for others, for damaged ones, and where ffmpeg is not installed;
   * the signal's reason
   */
  async open(access: Access, path: EntryPath, signal: AbortSignal): Promise<Film> {
    const handle = access.read(path);
    const { name, info, real } = handle;
    const type = typeOf(name, info.size, isAmbiguous(name) ? readStart(access, path) : undefined);
    if (type !== "video" && type !== "audio") {
      throw refusal(path, "it is neither a video nor music");
    }
    if (!this.areMade) throw refusal(path, "FFmpeg is not installed on the server");
    const key = digestOf(generation, real, ...stateOf(info));
    this.#refuseKnown(path, key);
    const known = this.#facts.get(key);
    const facts = known ?? await this.#factFlights.join(key, async (abandoned) => {
      const json = await this.#ask({ handle, path, state: info }, "streamFacts", {}, abandoned);
      const found = streamFactsOf(json);
      if (!found) throw this.#refuse(path, key, "it is damaged, or has an unknown format");
      this.#facts.set(key, found);
      return found;
    }, signal);
    return { ...facts, path, handle, state: info, key };
  }

  /**
   * The segments of a stream.
   *
   * @throws DomainError `invalid_option` for tracks that the file does not have; `not_supported` for
   * pictures that cannot be copied, and where the duration is not known; the signal's reason
   */
  async timeline(film: Film, choice: StreamChoice, signal: AbortSignal): Promise<Timeline> {
    const { info, path } = film;
    checkChoice(film, choice);
    if (info.duration === 0) throw refusal(path, "its duration is unknown");
    if (info.duration > maxDuration) throw refusal(path, "it is longer than a day");
    if (choice.video !== "copy") return evenTimeline(info.duration);
    const known = this.#timelines.get(film.key);
    if (known) return known;
    return await this.#timelineFlights.join(film.key, async (abandoned) => {
      const numbers = { duration: info.duration };
      const text = await this.#ask(film, "keyframes", numbers, abandoned);
      const timeline = keyframeTimeline(text, film);
      const { starts, end } = timeline;
      const isCut = starts.every((start, at) => (starts[at + 1] ?? end) - start < maxCopiedSeconds);
      if (starts.length === 0 || !isCut) throw refusal(path, "it has too few keyframes to copy");
      this.#timelines.set(film.key, timeline);
      return timeline;
    }, signal);
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
    film: Film,
    choice: StreamChoice,
    index: SegmentIndex,
    { near = 0, owner, signal }: { near?: number; owner: string; signal: AbortSignal },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const timeline = await this.timeline(film, choice, signal);
    if (index >= timeline.starts.length) throw pastEnd(film.path);
    const stream = streamKey(film, choice);
    const place = index === header ? lastBefore(timeline.starts, near) : index;
    for (let tries = 1;; tries++) {
      const kept = await this.#cache.read(segmentKey(stream, index));
      if (kept) return kept;
      this.#refuseKnown(film.path, stream);
      const conversion = this.#conversionFor(film, choice, timeline, index, place, owner);
      try {
        return await conversion.wait(index, signal);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        const { why } = error;
        if (why === "ended") throw pastEnd(film.path);
        if (why === "slow" || why === "failed") {
          throw this.#refuse(film.path, stream, reasons[why]);
        }
        if (why === "busy" || tries === maxAttempts) throw busyError(film.path);
      }
    }
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
      const text = await this.#ask(film, "subtitleTrack", { track }, limit).catch((error) => {
        throw abandoned.aborted || !limit.aborted ? error : busyError(film.path);
      });
      const bytes = new TextEncoder().encode(text);
      await this.#cache.write(key, bytes).catch(() => {});
      return bytes;
    }, signal);
  }

  /** Ends all conversions. */
  close(): void {
    for (const conversions of this.#running.values()) {
      for (const conversion of conversions) conversion.stop();
    }
  }

  /** The conversion that will make a segment: one under way, or a new one. */
  #conversionFor(
    film: Film,
    choice: StreamChoice,
    timeline: Timeline,
    index: SegmentIndex,
    from: SegmentIndex,
    owner: string,
  ): Conversion {
    const stream = streamKey(film, choice);
    const others = this.#running.get(stream) ?? new Set();
    const near = others.values().find((conversion) => conversion.willMake(index));
    if (near) return near;
    // The user looks at another place, or another film.
    for (const other of this.#all()) {
      if (other.owner === owner && other.isIdle) other.stop();
    }
    const conversion = new Conversion({
      ...{ from, owner, starts: timeline.starts, patienceMs: this.#patienceMs },
      keep: async (at, bytes) => {
        // What the disk refuses is made again next time.
        await this.#cache.write(segmentKey(stream, at), bytes).catch(() => {});
        await this.#cache.sweep();
      },
      othersWait: () => this.#waiting > 0,
    });
    others.add(conversion);
    this.#running.set(stream, others);
    void this.#run(film, choice, timeline.starts[from] ?? 0, conversion).finally(() => {
      others.delete(conversion);
      if (others.size === 0) this.#running.delete(stream);
    });
    return conversion;
  }

  /** Runs a conversion to its end, once its turn has come. */
  async #run(film: Film, choice: StreamChoice, from: number, conversion: Conversion) {
    const { signal, owner } = conversion;
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
      using file = film.handle.openSync();
      const checkUnchanged = () => {
        if (!isSameState(file.facts(), film.state)) throw changed(film.path);
      };
      checkUnchanged();
      const start = from === 0 ? 0 : from + (choice.video === "copy" ? pastKeyframe : 0);
      const { failure, status, stopped } = await this.#programs.stream(
        recipeFor(film, choice),
        file,
        {
          signal,
          numbers: { start, offset: start + streamOffset, track: choice.audio },
          receive: async (bytes) => {
            checkUnchanged();
            await conversion.receive(bytes);
          },
        },
      );
      checkUnchanged();
      if (failure !== undefined) {
        this.#note(`Media: a program could not be run: ${failure}`);
        throw new DomainError("internal", `Cannot convert "${film.path}": FFmpeg cannot be run`);
      }
      await conversion.end();
      const isRead = conversion.hasMade || status === 0;
      conversion.stop(new Stopped(isRead ? "ended" : stopped ? "slow" : "failed"));
    } catch (error) {
      conversion.stop(error instanceof RangeError ? new Stopped("failed") : error);
    } finally {
      this.#queue.release(owner, 1);
    }
  }

  *#all(): Generator<Conversion> {
    for (const conversions of this.#running.values()) yield* conversions;
  }

  /** The output of a program for a file. */
  async #ask(
    { handle, path, state }: Pick<Film, "handle" | "path" | "state">,
    recipe: RecipeName,
    numbers: RecipeNumbers,
    signal: AbortSignal,
  ): Promise<string> {
    using file = handle.openSync();
    if (!isSameState(file.facts(), state)) throw changed(path);
    const { end, output } = await this.#programs.run(recipe, file, signal, undefined, numbers);
    if (!isSameState(file.facts(), state)) throw changed(path);
    if (end.stopped) throw refusal(path, reasons.slow);
    if (end.failure !== undefined) {
      this.#note(`Media: a program could not be run: ${end.failure}`);
      throw new DomainError("internal", `Cannot convert "${path}": FFmpeg cannot be run`);
    }
    return new TextDecoder().decode(output);
  }

  /** @throws DomainError `not_supported` for what could not be converted a while ago */
  #refuseKnown(path: EntryPath, key: string): void {
    const known = this.#refused.get(key);
    if (known && Date.now() < known.until) throw refusal(path, known.reason);
  }

  #refuse(path: EntryPath, key: string, reason: string): DomainError {
    this.#refused.set(key, { reason, until: Date.now() + refusedMs });
    return refusal(path, reason);
  }
}

const reasons: Record<Extract<StopReason, "slow" | "failed">, string> = {
  slow: "it needs too much time or memory",
  failed: "it is damaged, or FFmpeg cannot decode it",
};

/** The recipe for a stream of a film. Sound that all browsers decode is copied along. */
function recipeFor({ info }: Film, { video, audio }: StreamChoice): RecipeName {
  if (video === "none") return "streamSound";
  if (video !== "copy") return `stream${video}`;
  const isHevc = info.video?.codec === "hevc";
  const isAac = info.audio[audio]?.codecs === "mp4a.40.2";
  return `streamCopy${isHevc ? "Hevc" : ""}${isAac ? "All" : ""}`;
}

/** @throws DomainError `invalid_option`, `not_supported` */
function checkChoice({ info, path }: Film, { video, audio }: StreamChoice): void {
  const hasSound = info.audio[audio] !== undefined;
  if (!hasSound && (audio > 0 || video === "none")) throw noTrack("audio", audio);
  if (video === "none") return;
  if (!info.video) throw refusal(path, "it has no pictures");
  if (video === "copy" && !info.video.copies) throw refusal(path, "its pictures cannot be copied");
}

function evenTimeline(duration: number): Timeline {
  const count = Math.max(1, Math.ceil((duration - 0.05) / segmentSeconds));
  return { starts: Array.from({ length: count }, (_, at) => at * segmentSeconds), end: duration };
}

/** A timeline by the keyframes that ffprobe prints, a line each: "5.011000,K_". */
function keyframeTimeline(text: string, { info, startTime }: StreamFacts): Timeline {
  const times = text.split("\n").map((line) => line.split(","))
    .filter(([, flags = ""]) => flags.startsWith("K"))
    .map(([time]) => Number(time) - startTime)
    .filter((time) => Number.isFinite(time))
    .sort((a, b) => a - b);
  const starts: number[] = [];
  for (const time of times) {
    if (time < (starts.length === 0 ? -Infinity : (starts.at(-1) ?? 0) + minCopiedSeconds)) {
      continue;
    }
    starts.push(starts.length === 0 ? 0 : time);
  }
  return { starts, end: Math.max(info.duration, (starts.at(-1) ?? 0) + 0.1) };
}

/** The place of the last segment that begins before a time. */
function lastBefore(starts: readonly number[], seconds: number): SegmentIndex {
  return Math.max(0, starts.findLastIndex((start) => start <= seconds));
}

function streamKey({ key }: Film, { video, audio }: StreamChoice): string {
  return digestOf(key, video, audio);
}

function segmentKey(stream: string, index: SegmentIndex): string {
  return digestOf(stream, index);
}

function digestOf(...parts: (string | number | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function refusal(path: EntryPath, reason: string): DomainError {
  return new DomainError("not_supported", `Cannot convert "${path}": ${reason}`);
}

function noTrack(kind: "audio" | "subtitle", track: number): DomainError {
  return new DomainError(
    "invalid_option",
    `Cannot use ${track} as ${kind}: there is no such track`,
  );
}

function pastEnd(path: EntryPath): DomainError {
  return new DomainError("not_found", `Cannot convert "${path}": it ends before this segment`);
}

function changed(path: EntryPath): DomainError {
  return new DomainError("busy", `Cannot convert "${path}": it is changing`, 2);
}

function busyError(path: EntryPath): DomainError {
  return new DomainError(
    "busy",
    `Cannot convert "${path}": too many videos are being converted`,
    5,
  );
}

function queueFullError(): DomainError {
  return new DomainError("throttled", "Cannot convert the video: too many wait already", 5);
}
