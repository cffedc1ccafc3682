import type { Sound } from "./loaded_track.ts";

type SoundEvent = Parameters<Sound["addEventListener"]>[0];

/** `HTMLMediaElement.HAVE_FUTURE_DATA`: it can play at once. */
const hasData = 3;

/**
 * Two players in place of one: while one plays, the other loads the next track, and goes on where
 * that ends. Events are those of the one that plays.
 */
export class JoinedSound implements Sound {
  #now: Sound;
  #other: Sound;
  #volume = 1;
  #gain = 1;
  /** What the other player has loaded: its address, and how loud it is. */
  #next: { src: string; gain: number } | null = null;

  /** @param other loads what follows */
  constructor(now: Sound, other: Sound) {
    this.#now = now;
    this.#other = other;
  }

  /** The player that plays. */
  get player(): Sound {
    return this.#now;
  }

  /** The player that loads what follows. */
  get spare(): Sound {
    return this.#other;
  }

  get src(): string {
    return this.#now.src;
  }

  set src(src: string) {
    this.#now.src = src;
  }

  get currentTime(): number {
    return this.#now.currentTime;
  }

  set currentTime(seconds: number) {
    this.#now.currentTime = seconds;
  }

  get duration(): number {
    return this.#now.duration;
  }

  get paused(): boolean {
    return this.#now.paused;
  }

  get readyState(): number {
    return this.#now.readyState;
  }

  get error(): Sound["error"] {
    return this.#now.error;
  }

  get preload(): Sound["preload"] {
    return this.#now.preload;
  }

  set preload(preload: Sound["preload"]) {
    this.#now.preload = preload;
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = volume;
    this.#setVolumes();
  }

  get muted(): boolean {
    return this.#now.muted;
  }

  set muted(isMuted: boolean) {
    this.#now.muted = this.#other.muted = isMuted;
  }

  /** How loud the track is played beside the volume, 1 for as it is. */
  get gain(): number {
    return this.#gain;
  }

  set gain(gain: number) {
    this.#gain = gain;
    this.#setVolumes();
  }

  play(): Promise<void> {
    return this.#now.play();
  }

  pause(): void {
    this.#now.pause();
  }

  load(): void {
    this.#now.load();
  }

  removeAttribute(name: string): void {
    this.#now.removeAttribute(name);
  }

  addEventListener(type: SoundEvent, listener: EventListener): void {
    for (const player of [this.#now, this.#other]) {
      player.addEventListener(type, (event: Event) => {
        if (player === this.#now) listener(event);
      });
    }
  }

  /** Calls back when what follows cannot be loaded, or decoded. */
  onSpareFailed(listener: () => void): void {
    for (const player of [this.#now, this.#other]) {
      player.addEventListener("error", () => {
        if (player === this.#other && this.#next) listener();
      });
    }
  }

  /** Loads what follows, or unloads it. */
  prepare(src: string | null, gain = 1): void {
    if (this.#next?.src === src) {
      if (this.#next) this.#next.gain = gain;
      return this.#setVolumes();
    }
    if (src === null && !this.#next) return;
    this.#next = src === null ? null : { src, gain };
    this.#other.pause();
    if (src === null) {
      this.#other.removeAttribute("src");
      this.#other.load();
      return;
    }
    this.#setVolumes();
    this.#other.preload = "auto";
    this.#other.src = src;
  }

  /** Goes on with what was prepared, while the former track ends. @returns whether that is loaded */
  join(): boolean {
    if (!this.#next || this.#other.readyState < hasData) return false;
    [this.#now, this.#other] = [this.#other, this.#now];
    this.#gain = this.#next.gain;
    this.#next = null;
    this.#now.volume = Math.min(1, this.#volume * this.#gain);
    return true;
  }

  #setVolumes(): void {
    this.#now.volume = Math.min(1, this.#volume * this.#gain);
    if (this.#next) this.#other.volume = Math.min(1, this.#volume * this.#next.gain);
  }
}
