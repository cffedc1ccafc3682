import type { Entry } from "../../../shared/api_types.ts";
import { type BrowserStorage, keepIn } from "../../base/core/browser_storage.ts";
import type { PlayQueue, Repeat, Track } from "./play_queue.ts";

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
}

/** Reads the choices; the default for what is missing or nonsense. */
export function readChoices(storage: Pick<BrowserStorage, "getItem">): MusicChoices {
  const { volume, isMuted, isShuffled, repeat } = parse(storage.getItem(CHOICES)) ?? {};
  return {
    volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : 1,
    isMuted: isMuted === true,
    isShuffled: isShuffled === true,
    repeat: repeat === "all" || repeat === "one" ? repeat : "off",
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
export interface KeptQueue {
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
