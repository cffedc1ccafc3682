/** A minute, in milliseconds. */
export const minuteMs = 60_000;

/** An hour, in milliseconds. */
export const hourMs = 60 * minuteMs;

/** A day, in milliseconds. */
export const dayMs = 24 * hourMs;

/**
 * The latest time that is taken or written, in milliseconds since 1970: the end of the year 9999,
 * the last that RFC 3339 can say.
 */
export const latestTime = 253_402_300_799_999;

/** The earliest one: the beginning of the year 0. */
export const earliestTime = -62_167_219_200_000;

/** The next time that can be written; the epoch for what is no number. */
export function boundedTime(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, earliestTime), latestTime);
}

/**
 * The RFC 3339 text of a time from a record. Nothing that a record or a disk holds makes it throw:
 * a time behind the year 9999 would otherwise fail the whole page that shows it.
 *
 * @param ms milliseconds since 1970
 */
export function isoOf(ms: number): string {
  return new Date(boundedTime(ms)).toISOString();
}
