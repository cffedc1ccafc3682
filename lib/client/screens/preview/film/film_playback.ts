import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../../../shared/path.ts";
import type { Failure } from "../../../../shared/result.ts";
import type { StreamInfo } from "../../../../shared/schemas/stream.ts";
import type { Api } from "../../../base/api/api.ts";
import type { BrowserStorage } from "../../../base/core/browser_storage.ts";
import { lazy } from "../../../base/core/lazy.ts";
import { isBack } from "../player/is_back.ts";
import type { PreviewSource } from "../preview_source.ts";
import { endAbove } from "./above.ts";
import {
  type Decoder,
  mediaSource,
  type Plan,
  plansFor,
  qualitiesFor,
  type Quality,
} from "./how_to_play.ts";
import { type FilmChoices, keepFilmChoices, keepPlace, readPlace } from "./kept_films.ts";
import { QuickStarts } from "./quick_starts.ts";
import { followPlace } from "./queue_place.ts";

const hls = lazy(() => import("./hls_player.ts"));

/** The interval of a call during playback, so that the session does not expire. */
const SIGN_OF_LIFE_MS = 4 * 60_000;
/** The interval at which the place is kept. */
const KEPT_EVERY_MS = 5_000;
/** How long several seeks of a stream are taken together: each may start a conversion. */
const SETTLES_MS = 200;

/** Names of files that all browsers open: these play before their tracks are known. */
const AT_ONCE = /\.(mp4|m4v|webm)$/i;

/** The speed of films, until the page is left. */
let speed = 1;

/** The dependencies of {@linkcode FilmPlayback}. */
export interface FilmOptions {
  api: Api;
  path: EntryPath;
  name: string;
  /** The file itself. */
  source: PreviewSource;
  decoder: Decoder;
  /** Whether the server converts films. */
  mayStream: boolean;
  storage: Pick<BrowserStorage, "getItem" | "setItem">;
  /** The film's name in the storage. */
  key: string;
  choices: FilmChoices;
  /** Plays at once. */
  autoPlay: boolean;
}

/** Plays a film in a video element: the file itself, or what the server makes of it. */
export class FilmPlayback {
  readonly #options: FilmOptions;
  readonly #leaving = new AbortController();
  readonly #info = signal<StreamInfo | null>(null);
  readonly #plan = signal<Plan | null>(null);
  readonly #audio = signal(0);
  readonly #choices;
  readonly #starts = new QuickStarts();
  readonly #place = signal(0);
  readonly #resumedAt = signal(0);
  #element: HTMLVideoElement | null = null;
  /** Further ways to play it, should the present one fail. */
  #others: Plan[] = [];
  /** Whether the tracks are known, or known to be unreadable. */
  #isRead = false;
  /** Ends what loads a stream. */
  #endStream: (() => void) | null = null;
  /** Counts the sources: what an earlier one still brings is void. */
  #round = 0;
  /** The source whose place in the queue is being asked for; -1 for none. */
  #watched = -1;
  /** Where the next source begins, in seconds. */
  #at: number;
  #plays: boolean;
  /** A seek that waits for the next ones. */
  #target: number | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #keptAt = 0;
  #heardAt = Date.now();
  /** Where the browser failed to load on the last time, in seconds. */
  #cutAt = -1;

  /** The tracks; null while they are unknown, and where the server does not read them. */
  readonly info: ReadonlySignal<StreamInfo | null> = this.#info;
  /** How it is played; null until that is known. */
  readonly plan: ReadonlySignal<Plan | null> = this.#plan;
  /** The place of the audio track. */
  readonly audio: ReadonlySignal<number> = this.#audio;
  /** How films are played. */
  readonly choices: ReadonlySignal<FilmChoices>;
  /** The place in the server's queue while it converts other films first; 0 without one. */
  readonly place: ReadonlySignal<number> = this.#place;
  /** Where it goes on from an earlier time, in seconds; 0 from its beginning. */
  readonly resumedAt: ReadonlySignal<number> = this.#resumedAt;

  constructor(options: FilmOptions) {
    this.#options = options;
    this.choices = this.#choices = signal(options.choices);
    this.#plays = options.autoPlay;
    this.#at = this.#resumedAt.value = readPlace(options.storage, options.key);
  }

  /** The position, in seconds, that of a seek under way included. */
  get position(): number {
    return this.#target ?? (this.#isOpen ? this.#element?.currentTime ?? 0 : this.#at);
  }

  /** The duration, in seconds; 0 while it is unknown. */
  get duration(): number {
    const { duration = NaN } = this.#element ?? {};
    return Number.isFinite(duration) && duration > 0 ? duration : this.#info.peek()?.duration ?? 0;
  }

  /** Whether it plays, or will as soon as enough is loaded. */
  get isPlaying(): boolean {
    return this.#plays;
  }

  /** Whether the element has a source whose position counts. */
  get #isOpen(): boolean {
    return (this.#element?.readyState ?? 0) > 0;
  }

  /** Plays in an element until {@linkcode FilmPlayback.leave}. */
  attach(element: HTMLVideoElement): void {
    const { volume, isMuted } = this.#choices.peek();
    this.#element = element;
    Object.assign(element, { volume, muted: isMuted });
    this.setSpeed(speed);
    const { signal } = this.#leaving;
    const on = (name: string, act: () => void) => element.addEventListener(name, act, { signal });
    on("loadedmetadata", () => this.#opened());
    on("timeupdate", () => this.#tick());
    on("play", () => this.#plays = true);
    on("pause", () => this.#paused());
    on("ended", () => this.#keep());
    on("error", () => void this.#failed(null));
    on("waiting", () => void this.#watchQueue());
    addEventListener("pagehide", () => this.#keep(), { signal });
    const { source } = this.#options;
    const unfollow = effect(() => {
      const address = source.address.value;
      if (this.#plan.peek()?.is === "file") this.#openFile(address);
    });
    signal.addEventListener("abort", unfollow);
    void this.#open();
  }

  /** Ends it, with what the server does for it. */
  leave(): void {
    this.#keep();
    this.#leaving.abort();
    clearTimeout(this.#settling);
    if (this.#element) void endAbove(this.#element);
    this.#clear();
  }

  /** Plays. */
  play(): void {
    this.#plays = true;
    const plan = this.#plan.peek();
    if (plan?.is === "stream" && !this.#endStream && !this.#element?.src) void this.#stream(plan);
    this.#element?.play().catch((error) => {
      if (error?.name === "NotAllowedError") this.#plays = false;
    });
  }

  /** Pauses. */
  pause(): void {
    this.#plays = false;
    this.#element?.pause();
  }

  /** Plays or pauses. */
  toggle(): void {
    if (this.#plays) this.pause();
    else this.play();
  }

  /** Goes to a position, in seconds. */
  seek(seconds: number): void {
    const duration = this.duration;
    const to = Math.max(0, duration > 0 ? Math.min(seconds, duration - 0.1) : seconds);
    this.#resumedAt.value = 0;
    if (!this.#isOpen || !this.#element) {
      this.#at = to;
      if (this.#endStream) this.#restart();
      return;
    }
    if (this.#plan.peek()?.is === "file") {
      this.#element.currentTime = to;
      return;
    }
    this.#target = to;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#target = null;
      if (this.#element) this.#starts.seek(this.#element, to, this.#plan.peek());
    }, SETTLES_MS);
  }

  /** Seeks by seconds. */
  skip(seconds: number): void {
    this.seek(this.position + seconds);
  }

  /** Sets the volume, from 0 to 1, and ends the silence. */
  setVolume(volume: number): void {
    this.#choose({ volume: Math.max(0, Math.min(1, volume)), isMuted: false });
  }

  /** Silences it, or ends that. */
  mute(isMuted: boolean): void {
    this.#choose({ isMuted });
  }

  /** Sets the speed, of films that follow, too; 1 is as recorded. */
  setSpeed(rate: number): void {
    speed = rate;
    const element = this.#element;
    if (element) element.playbackRate = element.defaultPlaybackRate = rate;
  }

  /** Sets whether the next film follows by itself. */
  goOn(goesOn: boolean): void {
    this.#choose({ goesOn });
  }

  /** Plays another audio track, and that of the same language in other films. */
  chooseAudio(track: number): void {
    this.#audio.value = track;
    this.#choose({ language: this.#info.peek()?.audio[track]?.language ?? "" });
    this.#replan();
  }

  /** Plays in another quality, from now on. */
  chooseQuality(quality: Quality): void {
    const info = this.#info.peek();
    if (!info) return;
    const { name, decoder } = this.#options;
    // Where there is no choice but to convert, it concerns films of that kind alone.
    const isFree = qualitiesFor(info, name, decoder).includes("original");
    this.#choose({ ...isFree && { quality }, ...quality !== "original" && { height: quality } });
    this.#replan();
  }

  #choose(changed: Partial<FilmChoices>): void {
    const choices = this.#choices.value = { ...this.#choices.peek(), ...changed };
    keepFilmChoices(this.#options.storage, choices);
    const { volume, isMuted } = choices;
    if (this.#element) Object.assign(this.#element, { volume, muted: isMuted });
  }

  /** Asks for the tracks, then plays; a file that any browser opens does not wait for that. */
  async #open(): Promise<void> {
    const { name, mayStream } = this.#options;
    if (!mayStream) {
      this.#isRead = true;
      return this.#start({ is: "file" });
    }
    if (AT_ONCE.test(name) && this.#choices.peek().quality === "original") {
      this.#start({ is: "file" });
    }
    await this.#readInfo();
    this.#isRead = true;
    if (this.#leaving.signal.aborted) return;
    if (this.#info.peek()) this.#replan();
    else if (!this.#plan.peek()) this.#start({ is: "file" });
  }

  async #readInfo(): Promise<void> {
    const { api, path } = this.#options;
    const { signal } = this.#leaving;
    for (;;) {
      const answer = await api.calls.json("GET /api/stream/{part}/{path}", {
        params: { part: "info", path },
        signal,
      });
      if (answer.ok) this.#learn(answer.value);
      if (answer.ok || signal.aborted || !await api.recover(answer, signal)) return;
    }
  }

  #learn(info: StreamInfo): void {
    this.#info.value = info;
    const { language: chosen } = this.#choices.peek();
    const own = info.audio.findIndex(({ language }) => language && language === chosen);
    if (own > 0) this.#audio.value = own;
  }

  /** Plays in the first way that the choices allow. */
  #replan(): void {
    const info = this.#info.peek();
    if (!info) return;
    const { name, decoder } = this.#options;
    const { quality, height } = this.#choices.peek();
    const audio = this.#audio.peek();
    const [first, ...others] = plansFor(info, name, decoder, { audio, quality, height });
    this.#others = others;
    const plan = this.#plan.peek();
    if (!first || (first.is === "file" && plan?.is === "file")) return;
    this.#start(first);
  }

  #start(plan: Plan): void {
    if (this.#isOpen) this.#at = this.#target ?? this.#element?.currentTime ?? 0;
    this.#clear();
    this.#plan.value = plan;
    if (plan.is === "file") this.#openFile(this.#options.source.address.peek());
    else if (this.#plays) void this.#stream(plan);
  }

  #restart(): void {
    const plan = this.#plan.peek();
    if (plan) this.#start(plan);
  }

  /** Ends the present source. */
  #clear(): void {
    this.#round++;
    this.#target = null;
    clearTimeout(this.#settling);
    this.#place.value = 0;
    this.#endStream?.();
    this.#endStream = null;
    if (!this.#element?.hasAttribute("src")) return;
    this.#element.removeAttribute("src");
    this.#element.load();
  }

  #openFile(address: string): void {
    if (!this.#element) return;
    if (this.#isOpen) this.#at = this.#element.currentTime;
    const plays = this.#plays;
    this.#element.src = address;
    if (plays) this.play();
  }

  async #stream(plan: Plan & { is: "stream" }): Promise<void> {
    const { api, path } = this.#options;
    const round = this.#round;
    void this.#watchQueue();
    // Until its code is there: a second click must not load it again.
    this.#endStream = () => {};
    const code = await hls.load();
    if (round !== this.#round || !this.#element) return;
    if (!code) return void this.#failed(null);
    const stream = { video: plan.video, audio: this.#audio.peek(), at: this.#at };
    if (mediaSource()) {
      this.#endStream = code.playHls(this.#element, {
        ...{ api, path, ...stream },
        onTurn: (isWaiting) => void (this.#place.value = isWaiting ? this.#place.peek() || 1 : 0),
        onFailure: (why) => void this.#failed(why),
      });
    } else {
      this.#element.src = code.streamAddress(api, path, stream);
    }
    if (this.#plays) this.play();
  }

  /** Asks for the place in the server's queue while nothing comes. */
  async #watchQueue(): Promise<void> {
    const plan = this.#plan.peek();
    if (plan?.is !== "stream" || this.#watched === this.#round) return;
    const round = this.#watched = this.#round;
    const waits = () =>
      round === this.#round && this.#plays && (this.#element?.readyState ?? 0) < 3;
    const stream = { ...this.#options, video: plan.video, audio: this.#audio.peek() };
    await followPlace(stream, this.#leaving.signal, {
      waits,
      tell: (place) => void (this.#place.value = place),
    });
    if (this.#watched === round) this.#watched = -1;
    if (round === this.#round) this.#place.value = 0;
  }

  #opened(): void {
    const plan = this.#plan.peek();
    if (plan?.is === "file") this.#options.source.loaded();
    void this.#starts.read(this.#options, plan, this.#leaving.signal);
    const element = this.#element;
    if (!element) return;
    const isLoadedThere = plan?.is === "stream" && mediaSource() !== undefined;
    if (!isLoadedThere && this.#at > 0 && this.#at < this.duration) element.currentTime = this.#at;
    if (this.#plays) this.play();
  }

  #paused(): void {
    // Another source pauses it, too, and so does a failure.
    if (this.#isOpen && !this.#element?.error) this.#plays = false;
    this.#keep();
  }

  #tick(): void {
    const now = Date.now();
    if (now - this.#keptAt > KEPT_EVERY_MS) this.#keep();
    if (now - this.#heardAt < SIGN_OF_LIFE_MS) return;
    this.#heardAt = now;
    void this.#options.api.exists(this.#options.path);
  }

  #keep(): void {
    if (this.duration === 0) return;
    this.#keptAt = Date.now();
    const { storage, key } = this.#options;
    // Also that of a source that is still being opened.
    const { position: at, duration } = this;
    keepPlace(storage, key, { at, duration, from: this.#starts.before(at, this.#plan.peek()) });
  }

  /** Goes on in another way, or says why it cannot. */
  async #failed(why: Failure | null): Promise<void> {
    const { source, api, path } = this.#options;
    const { signal } = this.#leaving;
    const plan = this.#plan.peek();
    if (!plan || signal.aborted) return;
    const round = this.#round;
    const goOn = () => round !== this.#round || this.#goOnOtherwise();
    if (plan.is === "file") {
      const { position } = this;
      const error = position === this.#cutAt ? null : this.#element?.error;
      this.#cutAt = position;
      if (!await isBack(api, path, error, signal)) return await source.failed(goOn);
      if (round === this.#round) this.#openFile(source.address.peek());
      return;
    }
    if (why && why.code !== "not_supported") return source.stop({ is: "refused", why });
    if (!this.#goOnOtherwise()) source.stop({ is: "unknown_format" });
  }

  /** @returns whether there is another way, or will be once the tracks are known */
  #goOnOtherwise(): boolean {
    const next = this.#others.shift();
    if (next) {
      this.#start(next);
      return true;
    }
    if (this.#isRead) return false;
    // The tracks are still being read; `#open` goes on from there.
    this.#plan.value = null;
    return true;
  }
}
