import { type ReadonlySignal, signal } from "@preact/signals";
import { parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { inlineAddress, PreviewSource, type SourceApi } from "../preview/preview_source.ts";

/** The part of an `<audio>` element that plays. */
export type Sound =
  & Pick<
    HTMLAudioElement,
    | ("src" | "currentTime" | "duration" | "paused" | "volume" | "muted" | "preload")
    | ("play" | "pause" | "load" | "removeAttribute")
  >
  & Pick<EventTarget, "addEventListener">;

/** The time of the current track, in seconds; a duration of 0 is not known yet. */
export interface TrackTime {
  at: number;
  of: number;
}

/** The track that the page's sound element has loaded: its address, and the time in it. */
export class LoadedTrack {
  readonly #api: SourceApi;
  readonly #sound: Sound;
  readonly #time = signal<TrackTime>({ at: 0, of: 0 });
  #source: PreviewSource | null = null;
  /** Where the track begins, in seconds, once it is loaded. */
  #startsAt = 0;

  /** The time of the track. */
  readonly time: ReadonlySignal<TrackTime> = this.#time;

  /** @param sound the element that plays; the caller listens to it */
  constructor(api: SourceApi, sound: Sound) {
    this.#api = api;
    this.#sound = sound;
  }

  /** The position in the track, in seconds; before it is loaded, the one to begin at. */
  get position(): number {
    return this.#startsAt || this.#sound.currentTime;
  }

  /** Loads a track, to begin at a position in seconds. */
  open({ path }: Entry, seconds: number): void {
    const at = parsePath(path).path;
    const api = this.#api;
    this.#source = new PreviewSource({ api, at, addresses: [inlineAddress(api, at)] });
    this.#startsAt = seconds;
    this.#time.value = { at: seconds, of: 0 };
    this.#sound.preload = "metadata";
    this.#sound.src = this.#source.address.peek();
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
    await source.failed();
    if (source !== this.#source) return null;
    if (source.trouble.peek() !== null) return false;
    this.#startsAt = position;
    this.#sound.src = source.address.peek();
    return true;
  }

  /** Unloads the track. */
  close(): void {
    this.#source = null;
    this.#sound.removeAttribute("src");
    this.#sound.load();
    this.#time.value = { at: 0, of: 0 };
  }
}
