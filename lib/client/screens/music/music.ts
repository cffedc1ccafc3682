import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Api } from "../../base/api/api.ts";
import type { BrowserStorage } from "../../base/core/browser_storage.ts";
import {
  keepChoices,
  keepPlace,
  keepQueue,
  type MusicChoices,
  PlayQueue,
  readChoices,
  readQueue,
  type Repeat,
  type Track,
} from "./play_queue.ts";
import type { MediaInfo } from "../../../shared/schemas/media.ts";
import { JoinedSound } from "./joined_sound.ts";
import { factorOf, type Loudness, LOUDNESSES } from "./replay_gain.ts";
import { LoadedTrack, type PlayConverted, type Sound, type TrackTime } from "./loaded_track.ts";

/** The interval of a call during playback, so that the session does not expire. */
const SIGN_OF_LIFE_MS = 4 * 60_000;

/** The interval at which the position is kept, in milliseconds. */
const KEPT_EVERY_MS = 5000;

/** How long before its end the track that follows is loaded, in seconds. */
const PREPARE_S = 20;

/** How long before its end it is waited for in small steps, in seconds. */
const NEAR_S = 1;

/** How long a player takes from the call to the first sound, in seconds. */
const STARTS_IN_S = 0.005;

/** "Previous" in the first seconds goes to the previous track, later to the beginning. */
const RESTARTS_AFTER_S = 3;

/** The dependencies of music. */
export interface MusicOptions {
  api: Pick<Api, "addressOf" | "tryDownload" | "ticket" | "exists" | "recover">;
  sound: Sound;
  /** Loads the next track meanwhile. */
  spare: Sound;
  /** What a track tells of itself; undefined where that is not known. */
  infoOf(entry: Entry): Promise<MediaInfo | undefined>;
  /** Plays a track that the browser cannot decode, as the server converts it. */
  convert: PlayConverted;
  /** Of all tabs. */
  choices: Pick<BrowserStorage, "getItem" | "setItem">;
  /** Of this tab. */
  kept: BrowserStorage;
  userId: number;
  /** Called when a track can't be played; the next one follows. */
  onUnplayable: (entry: Entry) => void;
  /** Called when a track starts, or goes on. */
  onPlay: () => void;
  random?: () => number;
}

/** Plays a queue of music, one track after the other, while the user browses. */
export class Music {
  readonly #options: MusicOptions;
  readonly #isPlaying = signal(false);
  readonly #isWaiting = signal(false);
  readonly #volume = signal(1);
  readonly #isMuted = signal(false);
  readonly #loudness = signal<Loudness>("off");
  readonly #tags = signal<Pick<MediaInfo, "title" | "artist" | "album">>({});
  readonly #sound: JoinedSound;
  readonly #loaded: LoadedTrack;
  #infos = new Map<string, Promise<MediaInfo | undefined>>();
  #joining: ReturnType<typeof setTimeout> | undefined;
  #track: Track | null = null;
  /** How many tracks in a row could not be played. */
  #failures = 0;
  #heard = 0;
  #keptAt = 0;

  /** The tracks. */
  readonly queue: PlayQueue;
  /** Whether it plays, or will as soon as enough is loaded. */
  readonly isPlaying: ReadonlySignal<boolean> = this.#isPlaying;
  /** Whether the server has no turn for the conversion of the track yet. */
  readonly isWaiting: ReadonlySignal<boolean> = this.#isWaiting;
  /** The time of the current track. */
  readonly time: ReadonlySignal<TrackTime>;
  /** From 0 to 1. */
  readonly volume: ReadonlySignal<number> = this.#volume;
  /** Whether it is silent whatever the volume. */
  readonly isMuted: ReadonlySignal<boolean> = this.#isMuted;
  /** What the current track tells of itself; empty while that is not known. */
  readonly tags: ReadonlySignal<Pick<MediaInfo, "title" | "artist" | "album">> = this.#tags;
  /** Whether the tags say how loud tracks are. */
  readonly loudness: ReadonlySignal<Loudness> = this.#loudness;

  /** @param options the dependencies; what was kept of them is restored, but does not play */
  constructor(options: MusicOptions) {
    this.#options = options;
    this.#sound = new JoinedSound(options.sound, options.spare);
    this.#loaded = new LoadedTrack(options.api, this.#sound, options.convert, {
      onTurn: (isWaiting) => void (this.#isWaiting.value = isWaiting),
      onFailure: () => void this.#failed(),
    });
    this.time = this.#loaded.time;
    this.queue = new PlayQueue(options.random);
    const { volume, isMuted, isShuffled, repeat, loudness } = readChoices(options.choices);
    this.#loudness.value = loudness;
    this.#setVolume(volume, isMuted);
    const kept = readQueue(options.kept, options.userId);
    // In the order of playing already: shuffled once more it would be another.
    if (kept) this.queue.set(kept.entries, kept.path);
    else if (isShuffled) this.queue.shuffle(true);
    this.queue.repeats(repeat);
    this.#listen();
    if (kept) this.#load(kept.seconds);
    effect(() => {
      void this.queue.tracks.value;
      untracked(() => keepQueue(options.kept, options.userId, this.queue));
    });
  }

  /** Plays other tracks, from the one at the path on. A track that plays already goes on. */
  start(entries: readonly Entry[], path?: string, seconds = 0): void {
    this.queue.set(entries, path);
    this.#failures = 0;
    this.#load(seconds);
    this.play();
  }

  /** Puts the track that plays among others: the rest of its folder. */
  surround(entries: readonly Entry[]): void {
    this.queue.surround(entries);
    this.#track = this.queue.current.peek();
  }

  /** Adds tracks to the queue; in an empty one the first of them plays. */
  add(entries: readonly Entry[]): void {
    const wasEmpty = this.queue.current.peek() === null;
    this.queue.add(entries);
    if (!wasEmpty) return;
    this.#load();
    this.play();
  }

  /** Plays the current track. */
  play(): void {
    if (!this.queue.current.peek()) return;
    this.#isPlaying.value = true;
    this.#options.onPlay();
    // Browsers may refuse a sound that no click has asked for.
    this.#sound.play().catch((error) => {
      if (error?.name === "NotAllowedError") this.#isPlaying.value = false;
    });
  }

  /** Pauses. */
  pause(): void {
    this.#isPlaying.value = false;
    clearTimeout(this.#joining);
    this.#sound.pause();
    this.#keepPlace();
  }

  /** Plays or pauses. */
  toggle(): void {
    if (this.#isPlaying.peek()) this.pause();
    else this.play();
  }

  /** Goes to the next track. */
  next(): void {
    this.#failures = 0;
    if (this.queue.next()) this.#go();
  }

  /** Goes to the beginning of the track, or to the previous one. */
  previous(): void {
    this.#failures = 0;
    const sound = this.#sound;
    if (sound.currentTime > RESTARTS_AFTER_S || !this.queue.previous()) return this.seek(0);
    this.#go();
  }

  /** Plays a track of the queue. */
  goTo(id: number): void {
    this.#failures = 0;
    this.queue.goTo(id);
    this.#load();
    this.play();
  }

  /** Removes a track of the queue; the last one ends the music. */
  remove(id: number): void {
    this.queue.remove(id);
    if (this.queue.current.peek() === null) this.close();
    else if (this.#track !== this.queue.current.peek()) this.#go();
  }

  /** Goes to a position in the track, in seconds. */
  seek(seconds: number): void {
    this.#loaded.seek(seconds);
    this.#keepPlace();
  }

  /** Sets the volume, from 0 to 1. */
  setVolume(volume: number): void {
    this.#setVolume(Math.max(0, Math.min(1, volume)), false);
    this.#keepChoices();
  }

  /** Silences it, or ends that. */
  mute(isMuted: boolean): void {
    this.#setVolume(this.#volume.peek(), isMuted);
    this.#keepChoices();
  }

  /** Plays in an order by chance, or in the former one. */
  shuffle(isShuffled: boolean): void {
    this.queue.shuffle(isShuffled);
    this.#keepChoices();
  }

  /** Sets what follows the last track. */
  repeats(mode?: Repeat): void {
    this.queue.repeats(mode);
    this.#keepChoices();
  }

  /** Has the tags say how loud tracks are; the next way when left out. */
  playsAsLoud(loudness?: Loudness): void {
    const at = LOUDNESSES.indexOf(this.#loudness.peek());
    this.#loudness.value = loudness ?? LOUDNESSES[(at + 1) % LOUDNESSES.length] ?? "off";
    void this.#applyGain();
    this.#keepChoices();
  }

  /** Keeps the position: the page may be left. */
  keep(): void {
    this.#keepPlace();
  }

  /** Ends the music, and empties the queue. */
  close(): void {
    this.pause();
    this.queue.set([]);
    this.#track = null;
    this.#loaded.close();
  }

  #go(): void {
    const wasPlaying = this.#isPlaying.peek();
    this.#load();
    if (wasPlaying) this.play();
  }

  /** Loads the current track, unless it is there. */
  #load(seconds = 0): void {
    const track = this.queue.current.peek();
    const former = this.#track;
    this.#track = track;
    if (!track || track === former) return;
    if (former?.entry.path === track.entry.path && seconds === 0 && this.#isPlaying.peek()) return;
    this.#loaded.open(track.entry, seconds);
    void this.#applyGain();
    void this.#showTags();
    this.#keepPlace();
  }

  /** Loads the track that follows, and goes on with it where this one ends. */
  #prepareNext(): void {
    const { currentTime, duration } = this.#sound;
    const left = duration - currentTime;
    if (!this.#isPlaying.peek() || !(left < PREPARE_S)) return;
    const next = this.queue.following;
    this.#loaded.prepare(next?.entry ?? null);
    if (!next) return;
    if (left >= NEAR_S) return void this.#applyGain(next.entry);
    clearTimeout(this.#joining);
    const track = this.#track;
    this.#joining = setTimeout(() => {
      const isDue = this.#sound.duration - this.#sound.currentTime < NEAR_S / 4;
      if (!isDue || !this.#isPlaying.peek() || this.#track !== track) return;
      if (this.queue.following === next) this.#join(next);
    }, Math.max(0, left - STARTS_IN_S) * 1_000);
  }

  /** Goes on with a track that is loaded. */
  #join(next: Track): boolean {
    if (!this.#loaded.join(next.entry)) return false;
    this.queue.end();
    this.#track = next;
    this.#failures = 0;
    this.play();
    void this.#showTags();
    this.#keepPlace();
    return true;
  }

  /** Plays a track, or the current one, as loud as its tags want it. */
  async #applyGain(entry = this.#track?.entry): Promise<void> {
    if (!entry) return;
    const loudness = this.#loudness.peek();
    const info = loudness === "off" ? undefined : await this.#infoOf(entry);
    const factor = factorOf(info?.replayGain, this.#loudness.peek());
    if (entry === this.#track?.entry) this.#sound.gain = factor;
    else this.#loaded.setNextGain(entry, factor);
  }

  /** Shows what the current track tells of itself. */
  async #showTags(): Promise<void> {
    const track = this.#track;
    this.#tags.value = {};
    const info = track && await this.#infoOf(track.entry);
    if (info && track === this.#track) this.#tags.value = info;
  }

  #infoOf(entry: Entry): Promise<MediaInfo | undefined> {
    const key = `${entry.path} ${entry.modified}`;
    const known = this.#infos.get(key) ?? this.#options.infoOf(entry);
    // Of this track and the next.
    if (this.#infos.size > 4) this.#infos.clear();
    this.#infos.set(key, known);
    return known;
  }

  #listen(): void {
    const sound = this.#sound;
    sound.addEventListener("loadedmetadata", () => {
      this.#failures = 0;
      this.#loaded.begin();
      // A player that loads a conversion has stopped for it.
      if (this.#isPlaying.peek() && sound.paused) this.play();
    });
    sound.addEventListener("durationchange", () => this.#loaded.tick());
    sound.addEventListener("timeupdate", () => {
      this.#loaded.tick();
      this.#prepareNext();
      this.#stayAlive();
    });
    sound.addEventListener("ended", () => {
      clearTimeout(this.#joining);
      const { following } = this.queue;
      if (following && this.#join(following)) return;
      if (!this.queue.end()) return this.pause();
      if (this.queue.current.peek() === this.#track) this.seek(0);
      else this.#load();
      this.play();
    });
    // A headset, or the system, has paused it; not a failure, or its end.
    sound.addEventListener("pause", () => {
      if (!sound.error && sound.duration !== sound.currentTime) this.#isPlaying.value = false;
    });
    sound.addEventListener("play", () => this.#isPlaying.value = true);
    sound.addEventListener("error", () => void this.#failed());
  }

  async #failed(): Promise<void> {
    const track = this.#track;
    if (!track) return;
    const retries = await this.#loaded.retry();
    if (retries === null) return;
    if (retries) {
      if (this.#isPlaying.peek()) this.play();
      return;
    }
    this.#options.onUnplayable(track.entry);
    this.#failures++;
    const isHopeless = this.#failures >= this.queue.tracks.peek().length;
    if (!this.#isPlaying.peek() || isHopeless || !this.queue.next()) return this.pause();
    this.#load();
    this.play();
  }

  #stayAlive(): void {
    const now = Date.now();
    if (now - this.#keptAt > KEPT_EVERY_MS) this.#keepPlace();
    if (now - this.#heard < SIGN_OF_LIFE_MS || !this.#track) return;
    this.#heard = now;
    void this.#options.api.exists(parsePath(this.#track.entry.path).path);
  }

  #setVolume(volume: number, isMuted: boolean): void {
    const sound = this.#sound;
    this.#volume.value = sound.volume = volume;
    this.#isMuted.value = sound.muted = isMuted;
  }

  #keepPlace(): void {
    this.#keptAt = Date.now();
    const { kept, userId } = this.#options;
    if (this.#track) keepPlace(kept, userId, this.#track, this.#loaded.position);
  }

  #keepChoices(): void {
    const choices: MusicChoices = {
      volume: this.#volume.peek(),
      isMuted: this.#isMuted.peek(),
      isShuffled: this.queue.isShuffled.peek(),
      repeat: this.queue.repeat.peek(),
      loudness: this.#loudness.peek(),
    };
    keepChoices(this.#options.choices, choices);
  }
}
