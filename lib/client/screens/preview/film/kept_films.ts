/** What the browser keeps of films: where one was in each, and how one plays them. */
import { type BrowserStorage, keepIn } from "../../../base/core/browser_storage.ts";
import type { Height, Quality } from "./how_to_play.ts";

type Storage = Pick<BrowserStorage, "getItem" | "setItem">;

const PLACES = "film places";
const CHOICES = "film";

/** Most films whose places are kept; the oldest go. */
const MAX_PLACES = 200;

/** The share of a film at its beginning and its end that counts as not begun, and as seen. */
const EDGE = 0.05;
/** That share is no longer than this, in seconds. */
const MAX_EDGE_S = 60;

/** How films are played, until another choice. */
export interface FilmChoices {
  /** From 0 to 1. */
  volume: number;
  isMuted: boolean;
  quality: Quality;
  /** Of films that have to be converted. */
  height: Height;
  /** The next film follows by itself. */
  goesOn: boolean;
  /** Of the audio track, as files tell it; "" for the first track. */
  language: string;
}

/** The choices that were kept. */
export function readFilmChoices(storage: Storage): FilmChoices {
  const kept = parsed(storage.getItem(CHOICES)) as
    | Partial<Record<keyof FilmChoices, unknown>>
    | null;
  const { volume, isMuted, quality, height, goesOn, language } = kept ?? {};
  return {
    volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : 1,
    isMuted: isMuted === true,
    quality: quality === "480" || quality === "1080" ? quality : "original",
    height: height === "1080" ? height : "480",
    goesOn: goesOn === true,
    language: typeof language === "string" ? language : "",
  };
}

/** Keeps choices. */
export function keepFilmChoices(storage: Storage, choices: FilmChoices): void {
  keepIn(storage, CHOICES, JSON.stringify(choices));
}

/**
 * Names a film, of a user or of a share, by what it keeps when it is renamed or moved: its size, and
 * when it was changed.
 */
export function filmKey(
  owner: { user: number } | { share: string },
  { size, modified }: { size: number; modified: string },
): string {
  return `${"user" in owner ? owner.user : owner.share} ${size} ${Date.parse(modified)}`;
}

/** A film, the position at which it was left, and where to resume it, if elsewhere: in seconds. */
type KeptPlace = [key: string, at: number, from?: number];

/** Where to resume a film, in seconds; 0 for its beginning. */
export function readPlace(storage: Storage, key: string): number {
  const place = placesIn(storage).find(([name]) => name === key);
  return place?.[2] ?? place?.[1] ?? 0;
}

/**
 * Keeps where one is in a film; its beginning and its end count as the beginning.
 *
 * @param from where to resume it, if that is sooner there
 */
export function keepPlace(
  storage: Storage,
  key: string,
  { at, duration, from = at }: { at: number; duration: number; from?: number },
): void {
  const edge = Math.min(MAX_EDGE_S, duration * EDGE);
  const others = placesIn(storage).filter(([name]) => name !== key);
  const isWithin = at > edge && at < duration - edge;
  const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
  const place: KeptPlace = from === at ? [key, tenths(at)] : [key, tenths(at), tenths(from)];
  const places = isWithin ? [place, ...others] : others;
  keepIn(storage, PLACES, JSON.stringify(places.slice(0, MAX_PLACES)));
}

function placesIn(storage: Storage): KeptPlace[] {
  const kept = parsed(storage.getItem(PLACES));
  const isPlace = (place: unknown): place is KeptPlace =>
    Array.isArray(place) && typeof place[0] === "string" && typeof place[1] === "number" &&
    (place[2] === undefined || typeof place[2] === "number");
  return Array.isArray(kept) ? kept.filter(isPlace) : [];
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
