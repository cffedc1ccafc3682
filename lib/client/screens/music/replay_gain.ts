import type { ReplayGain } from "../../../shared/schemas/media.ts";

/** Whether tracks are played as loud as each other, or as their album has them. */
export type Loudness = "off" | "track" | "album";

/** In the order in which the button goes through them. */
export const LOUDNESSES: readonly Loudness[] = ["off", "track", "album"];

/** The most and the least that tags change, in decibels. */
const MOST_DB = 12;
const LEAST_DB = -24;

/**
 * How loud a track is played, as a factor: by its tags, so far that its highest sample is at most
 * full scale. 1 without tags.
 */
export function factorOf(tags: ReplayGain | undefined, loudness: Loudness): number {
  if (!tags || loudness === "off") return 1;
  const { track, trackPeak, album, albumPeak } = tags;
  const isAlbum = loudness === "album" && album !== undefined;
  const decibels = isAlbum ? album : track ?? album;
  if (decibels === undefined) return 1;
  const peak = (isAlbum ? albumPeak : trackPeak) ?? trackPeak ?? albumPeak ?? 1;
  const factor = 10 ** (Math.max(LEAST_DB, Math.min(MOST_DB, decibels)) / 20);
  return Math.min(factor, Math.max(1 / peak, 10 ** (LEAST_DB / 20)));
}
