const known = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads a moment as milliseconds since 1970: `2026-01-31`, which begins at midnight, or
 * `2026-01-31T12:00:00Z`; null for what is neither.
 *
 * @param timeZone of midnight: UTC, or an IANA name
 */
export function readTime(text: string, timeZone = "UTC"): number | null {
  if (!known.test(text)) return null;
  if (text.length === "2026-01-31".length) return startOfDay(text, timeZone);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/**
 * When a day begins, as milliseconds since 1970; null for none.
 *
 * @param after the number of days to add, as a day in which clocks change has not 24 hours
 */
export function startOfDay(day: string, timeZone: string, after = 0): number | null {
  try {
    return Temporal.PlainDate.from(day).add({ days: after }).toZonedDateTime(timeZone)
      .epochMilliseconds;
  } catch {
    return null;
  }
}
