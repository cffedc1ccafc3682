import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { type BrowserStorage, keepIn } from "../../base/core/browser_storage.ts";
import type { Loudness } from "./replay_gain.ts";

/** A place in the queue; the same file can have several. */
export interface Track {
  /** Unique in the queue. */
  readonly id: number;
  readonly entry: Entry;
}

/** The track after the last one; `one`: the same track again. */
export type Repeat = "off" | "all" | "one";

const MODES: readonly Repeat[] = ["off", "all", "one"];

/**
 * The tracks to play, in the order in which they are played. Shuffling keeps the former order, to
 * come back to it.
 */
export class PlayQueue {
  readonly #random: () => number;
  readonly #tracks = signal<readonly Track[]>([]);
  readonly #current = signal<Track | null>(null);
  readonly #repeat = signal<Repeat>("off");
  readonly #isShuffled = signal(false);
  /** The tracks as they were added. */
  #added: readonly Track[] = [];
  #lastId = 0;

  /** In the order in which they are played. */
  readonly tracks: ReadonlySignal<readonly Track[]> = this.#tracks;
  /** The track that plays, or would; null in an empty queue. */
  readonly current: ReadonlySignal<Track | null> = this.#current;
  /** The mode after the last track. */
  readonly repeat: ReadonlySignal<Repeat> = this.#repeat;
  /** Whether the order is by chance. */
  readonly isShuffled: ReadonlySignal<boolean> = this.#isShuffled;

  /** @param random from 0 up to, not including, 1 */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The position of the current track, from 0; -1 in an empty queue. */
  get position(): number {
    const current = this.#current.peek();
    return current ? this.#tracks.peek().indexOf(current) : -1;
  }

  /** Whether a track follows the current one. */
  get hasNext(): boolean {
    const last = this.#tracks.value.at(-1);
    return last !== undefined && (last !== this.#current.value || this.#repeat.value !== "off");
  }

  /**
   * Replaces the queue.
   *
   * @param path the path of the first track to play; the first of all when it is not there
   */
  set(entries: readonly Entry[], path?: string): void {
    batch(() => {
      const tracks = entries.map((entry) => this.#trackOf(entry));
      const start = tracks.find(({ entry }) => entry.path === path) ?? tracks[0] ?? null;
      this.#added = tracks;
      this.#current.value = start;
      this.#tracks.value = this.#isShuffled.peek() && start ? this.#shuffled(start) : tracks;
    });
  }

  /** Puts the current track among others, without interrupting it. */
  surround(entries: readonly Entry[]): void {
    const { path } = this.#current.peek()?.entry ?? {};
    if (entries.some((entry) => entry.path === path)) this.set(entries, path);
  }

  /** Adds tracks at the end. */
  add(entries: readonly Entry[]): void {
    batch(() => {
      const tracks = entries.map((entry) => this.#trackOf(entry));
      this.#added = [...this.#added, ...tracks];
      this.#tracks.value = [...this.#tracks.peek(), ...tracks];
      this.#current.value ??= tracks[0] ?? null;
    });
  }

  /** Removes a track; the one after the current track takes its place. */
  remove(id: number): void {
    batch(() => {
      const at = this.#tracks.peek().findIndex((track) => track.id === id);
      const isCurrent = this.#current.peek()?.id === id;
      this.#added = this.#added.filter((track) => track.id !== id);
      const left = this.#tracks.peek().filter((track) => track.id !== id);
      this.#tracks.value = left;
      if (isCurrent) this.#current.value = left[at] ?? left.at(-1) ?? null;
    });
  }

  /** Goes to a track. */
  goTo(id: number): void {
    const track = this.#tracks.peek().find((one) => one.id === id);
    if (track) this.#current.value = track;
  }

  /** Goes to the next track; false at the end. */
  next(): boolean {
    return this.#step(1, this.#repeat.peek() !== "off");
  }

  /** Goes to the previous track; false at the beginning. */
  previous(): boolean {
    return this.#step(-1, this.#repeat.peek() !== "off");
  }

  /** The track that follows the end of the current one; null where it is repeated, and at the end. */
  get following(): Track | null {
    if (this.#repeat.peek() === "one") return null;
    const tracks = this.#tracks.peek();
    const at = this.position + 1;
    const next = tracks[this.#repeat.peek() === "all" ? at % tracks.length : at] ?? null;
    return next === this.#current.peek() ? null : next;
  }

  /** At the end of a track: goes to what follows it, which may be the same; false for nothing. */
  end(): boolean {
    return this.#repeat.peek() === "one" ? this.#current.peek() !== null : this.next();
  }

  /** Plays in an order by chance, the current track first, or in the former order. */
  shuffle(isShuffled: boolean): void {
    batch(() => {
      this.#isShuffled.value = isShuffled;
      const current = this.#current.peek();
      if (current) this.#tracks.value = isShuffled ? this.#shuffled(current) : this.#added;
    });
  }

  /** Sets what follows the last track; the next mode when left out. */
  repeats(mode?: Repeat): void {
    const at = MODES.indexOf(this.#repeat.peek());
    this.#repeat.value = mode ?? MODES[(at + 1) % MODES.length] ?? "off";
  }

  #step(by: 1 | -1, isRound: boolean): boolean {
    const tracks = this.#tracks.peek();
    const at = this.position + by;
    const track = tracks[isRound ? (at + tracks.length) % tracks.length : at];
    if (track) this.#current.value = track;
    return track !== undefined;
  }

  #trackOf(entry: Entry): Track {
    return { id: ++this.#lastId, entry };
  }

  /** Fisher and Yates' shuffle of all tracks but the first. */
  #shuffled(first: Track): Track[] {
    const others = this.#added.filter((track) => track !== first);
    for (let last = others.length - 1; last > 0; last--) {
      const other = Math.floor(this.#random() * (last + 1));
      const [a, b] = [others[last], others[other]];
      if (a && b) [others[last], others[other]] = [b, a];
    }
    return [first, ...others];
  }
}

/** Where the browser keeps the choices, for all tabs. */
const CHOICES = "music";

/** Most tracks that outlive a reload. */
const MAX_KEPT = 500;

/** Where the tab keeps its queue, for one user. */
function queueKey(userId: number): string {
  return `music.${userId}`;
}

function placeKey(userId: number): string {
  return `music-at.${userId}`;
}

/** The choices of a listener. */
export interface MusicChoices {
  /** From 0 to 1. */
  volume: number;
  isMuted: boolean;
  isShuffled: boolean;
  repeat: Repeat;
  loudness: Loudness;
}

/** Reads the choices; the default for what is missing or nonsense. */
export function readChoices(storage: Pick<BrowserStorage, "getItem">): MusicChoices {
  const kept = parse(storage.getItem(CHOICES)) ?? {};
  const { volume, isMuted, isShuffled, repeat, loudness } = kept;
  return {
    volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : 1,
    isMuted: isMuted === true,
    isShuffled: isShuffled === true,
    repeat: repeat === "all" || repeat === "one" ? repeat : "off",
    loudness: loudness === "track" || loudness === "album" ? loudness : "off",
  };
}

/** Keeps the choices. */
export function keepChoices(storage: Pick<BrowserStorage, "setItem">, choices: MusicChoices): void {
  keepIn(storage, CHOICES, JSON.stringify(choices));
}

/** Keeps the queue over a reload, as far as it is not too long; an empty one is forgotten. */
export function keepQueue(storage: BrowserStorage, userId: number, queue: PlayQueue): void {
  const tracks = queue.tracks.peek();
  if (tracks.length === 0) {
    storage.removeItem(queueKey(userId));
    storage.removeItem(placeKey(userId));
    return;
  }
  const from = Math.max(0, Math.min(queue.position - 20, tracks.length - MAX_KEPT));
  const kept = tracks.slice(from, from + MAX_KEPT).map(({ entry }) => entry);
  keepIn(storage, queueKey(userId), JSON.stringify(kept));
}

/** Keeps the place in the queue, and in the track. */
export function keepPlace(
  storage: BrowserStorage,
  userId: number,
  { entry }: Track,
  seconds: number,
): void {
  keepIn(storage, placeKey(userId), JSON.stringify({ path: entry.path, seconds }));
}

/** A queue as it was before a reload. */
interface KeptQueue {
  entries: Entry[];
  /** The path of the current track. */
  path?: string;
  seconds: number;
}

/** Reads what was kept; null when there is nothing, or nonsense. */
export function readQueue(storage: BrowserStorage, userId: number): KeptQueue | null {
  const list: unknown = parse(storage.getItem(queueKey(userId)));
  const entries = Array.isArray(list) ? list.filter(isEntry) : [];
  if (entries.length === 0) return null;
  const { path, seconds } = parse(storage.getItem(placeKey(userId))) ?? {};
  return {
    entries,
    path: typeof path === "string" ? path : undefined,
    seconds: typeof seconds === "number" && seconds > 0 ? seconds : 0,
  };
}

function parse(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return typeof value === "object" ? value as Record<string, unknown> : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is Entry {
  const { path, name } = (value ?? {}) as Partial<Record<keyof Entry, unknown>>;
  return typeof path === "string" && path.startsWith("/") && typeof name === "string";
}
