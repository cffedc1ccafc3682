import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { JoinedSound } from "./joined_sound.ts";
import { inlineAddress, PreviewSource, type SourceApi } from "../preview/preview_source.ts";
import type { ConversionEvents } from "../preview/player/converted_sound.ts";
import { isBack, type WaitingApi } from "../preview/player/is_back.ts";

/** The part of an `<audio>` element that plays. */
export type Sound =
  & Pick<
    HTMLAudioElement,
    | ("src" | "currentTime" | "duration" | "paused" | "volume" | "muted" | "preload")
    | "readyState"
    | ("play" | "pause" | "load" | "removeAttribute")
  >
  & Pick<EventTarget, "addEventListener">
  & { readonly error?: Pick<MediaError, "code"> | null };

/** The time of the current track, in seconds; a duration of 0 is not known yet. */
export interface TrackTime {
  at: number;
  of: number;
}

/** Plays a file that the server converts, from a position in seconds. @returns ends it */
export type PlayConverted = (
  at: EntryPath,
  player: Sound,
  seconds: number,
  events: ConversionEvents,
) => () => void;

/** A track that is being loaded to follow. */
interface NextTrack {
  path: string;
  source: PreviewSource;
  /** Ends its conversion; null where the browser decodes it. */
  end: (() => void) | null;
}

/** The track that the page's sound element has loaded: its address, and the time in it. */
export class LoadedTrack {
  readonly #api: SourceApi & WaitingApi;
  readonly #sound: JoinedSound;
  readonly #playConverted: PlayConverted;
  readonly #events: ConversionEvents;
  readonly #time = signal<TrackTime>({ at: 0, of: 0 });
  #source: PreviewSource | null = null;
  #at: EntryPath | null = null;
  /** The track that is being loaded to follow. */
  #next: NextTrack | null = null;
  /** Ends the conversion of a track that the browser cannot decode; null for others. */
  #endStream: (() => void) | null = null;
  /** Ends that of the former track, whose last moment still sounds, before its player is used again. */
  #endFormer: (() => void) | null = null;
  /** Where the track begins, in seconds, once it is loaded. */
  #startsAt = 0;

  /** The time of the track. */
  readonly time: ReadonlySignal<TrackTime> = this.#time;

  /**
   * @param sound the element that plays; the caller listens to it
   * @param events of conversions of the track that plays
   */
  constructor(
    api: SourceApi & WaitingApi,
    sound: JoinedSound,
    playConverted: PlayConverted,
    events: ConversionEvents,
  ) {
    this.#api = api;
    this.#sound = sound;
    this.#playConverted = playConverted;
    this.#events = events;
    sound.onSpareFailed(() => void this.#convertNext());
  }

  /** The position in the track, in seconds; before it is loaded, the one to begin at. */
  get position(): number {
    return this.#startsAt || this.#sound.currentTime;
  }

  /** Loads a track, to begin at a position in seconds. */
  open(entry: Entry, seconds: number): void {
    this.prepare(null);
    this.#endConversion();
    this.#at = parsePath(entry.path).path;
    this.#source = this.#sourceOf(entry);
    this.#startsAt = seconds;
    this.#time.value = { at: seconds, of: 0 };
    this.#sound.preload = "metadata";
    this.#sound.src = this.#source.address.peek();
  }

  /** Loads the track that follows, without playing it. */
  prepare(entry: Entry | null): void {
    if (this.#next?.path === entry?.path) return;
    this.#next?.end?.();
    this.#endFormer?.();
    this.#endFormer = null;
    this.#next = entry && { path: entry.path, source: this.#sourceOf(entry), end: null };
    this.#sound.prepare(this.#next?.source.address.peek() ?? null);
  }

  /** Goes on with the track that follows. @returns whether that was loaded in time */
  join({ path }: Entry): boolean {
    const next = this.#next;
    if (next?.path !== path || !this.#sound.join()) return false;
    this.#next = null;
    this.#events.onTurn(false);
    this.#endFormer = this.#endStream;
    this.#endStream = next.end;
    this.#at = parsePath(path).path;
    this.#source = next.source;
    this.#startsAt = 0;
    next.source.loaded();
    this.tick();
    return true;
  }

  /** Has the server convert the track that follows, if the browser cannot decode it. */
  async #convertNext(): Promise<void> {
    const next = this.#next;
    if (!next || next.end) return;
    const { source, path } = next;
    await source.failed();
    if (this.#next !== next) return;
    const trouble = source.trouble.peek();
    if (!trouble) return this.#sound.prepare(source.address.peek());
    if (trouble.is === "refused") return;
    // Should it fail, the track is opened in its turn, and says so.
    next.end = this.#convert(parsePath(path).path, this.#sound.spare, 0, source);
  }

  /** @param source what it is for: its events count while that plays */
  #convert(at: EntryPath, player: Sound, seconds: number, source: PreviewSource): () => void {
    const isHere = () => this.#source === source;
    const end = this.#playConverted(at, player, seconds, {
      onTurn: (isWaiting) => isHere() && this.#events.onTurn(isWaiting),
      onFailure: () => isHere() && this.#events.onFailure(),
    });
    return () => {
      if (isHere()) this.#events.onTurn(false);
      end();
    };
  }

  /** Has the track that follows be as loud. */
  setNextGain({ path }: Entry, gain: number): void {
    const { path: next, source } = this.#next ?? {};
    if (next === path && source) this.#sound.prepare(source.address.peek(), gain);
  }

  #sourceOf({ path }: Entry): PreviewSource {
    const api = this.#api;
    const at = parsePath(path).path;
    return new PreviewSource({ api, at, addresses: [inlineAddress(api, at)] });
  }

  /** Goes to where the track begins: its duration is known now. */
  begin(): void {
    this.#source?.loaded();
    if (this.#startsAt > 0 && this.#startsAt < this.#sound.duration - 1) {
      this.#sound.currentTime = this.#startsAt;
    }
    this.#startsAt = 0;
    this.tick();
  }

  /** Goes to a position, in seconds. */
  seek(seconds: number): void {
    const { of } = this.#time.peek();
    this.#sound.currentTime = Math.max(0, of > 0 ? Math.min(seconds, of) : seconds);
    this.tick();
  }

  /** Takes the time from the element. */
  tick(): void {
    const { currentTime, duration } = this.#sound;
    const of = Number.isFinite(duration) ? duration : 0;
    const at = of === 0 ? this.#startsAt : currentTime;
    this.#time.value = { at, of };
  }

  /**
   * After a failure, loads the track from another address.
   *
   * @returns whether there is one; null when another track was opened meanwhile
   */
  async retry(): Promise<boolean | null> {
    const source = this.#source;
    if (!source) return null;
    const { position } = this;
    // A conversion waits by itself.
    if (this.#at && !this.#endStream && await isBack(this.#api, this.#at, this.#sound.error)) {
      if (source !== this.#source) return null;
      this.#startsAt = position;
      this.#sound.src = source.address.peek();
      return true;
    }
    if (source !== this.#source) return null;
    await source.failed();
    if (source !== this.#source) return null;
    const trouble = source.trouble.peek();
    if (trouble !== null && (trouble.is === "refused" || this.#endStream)) return false;
    this.#startsAt = position;
    if (trouble !== null && this.#at) {
      this.#endStream = this.#convert(this.#at, this.#sound.player, position, source);
      return true;
    }
    this.#sound.src = source.address.peek();
    return true;
  }

  #endConversion(): void {
    this.#endFormer?.();
    this.#endStream?.();
    this.#endFormer = this.#endStream = null;
  }

  /** Unloads the track. */
  close(): void {
    this.prepare(null);
    this.#endConversion();
    this.#source = null;
    this.#sound.removeAttribute("src");
    this.#sound.load();
    this.#time.value = { at: 0, of: 0 };
  }
}
