const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"] as const;

/** In seconds, the largest first. */
const SPANS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Formatters are expensive to create, so they are cached. */
const formatters = new Map<string, unknown>();

function once<T>(key: string, make: () => T): T {
  if (!formatters.has(key)) formatters.set(key, make());
  return formatters.get(key) as T;
}

/** A size for people: "1.2 MB". Units of 1000, as for disks; three significant digits. */
export function formatBytes(bytes: number, language: string): string {
  let unit = 0;
  let value = bytes;
  while (Number(value.toPrecision(3)) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const format = once(`bytes ${language} ${unit}`, () =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit: UNITS[unit],
      unitDisplay: unit === 0 ? "long" : "short",
      maximumSignificantDigits: 3,
    }));
  return format.format(value);
}

/** A month such as "2026-11" for people: "November 2026"; a day: "Sunday, November 29, 2026". */
export function formatMonth(month: string, language: string): string {
  const isDay = month.length > "2026-11".length;
  const format = once(`month ${isDay} ${language}`, () => {
    const parts = isDay
      ? { dateStyle: "full" } as const
      : { month: "long", year: "numeric" } as const;
    return new Intl.DateTimeFormat(language, { ...parts, timeZone: "UTC" });
  });
  const time = Date.parse(month);
  return Number.isNaN(time) ? month : format.format(time);
}

/** A number with the separators of the language. */
export function formatNumber(value: number, language: string): string {
  return once(`number ${language}`, () => new Intl.NumberFormat(language)).format(value);
}

/** Names or facts one after the other, with the sign of the language: "a, b", "a、b". */
export function formatList(
  parts: readonly (string | false | undefined)[],
  language: string,
): string {
  const sign = once(`list ${language}`, () =>
    // "and" is before the last one alone.
    new Intl.ListFormat(language).formatToParts(["a", "b", "c"])[1]?.value ?? ", ");
  return parts.filter(Boolean).join(sign);
}

/**
 * A time as a distance from now: "3 hours ago".
 *
 * @param time RFC 3339
 */
export function formatRelative(time: string, language: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  if (Number.isNaN(seconds)) return "";
  const format = once(
    `relative ${language}`,
    () => new Intl.RelativeTimeFormat(language, { numeric: "auto" }),
  );
  for (const [unit, length] of SPANS) {
    // A time three days ahead shows as three days, even a moment later.
    const count = seconds < 0 ? Math.trunc(seconds / length) : Math.round(seconds / length);
    if (Math.abs(seconds) >= length) return format.format(count, unit);
  }
  return format.format(0, "second");
}

/**
 * A time as date and clock: "5 Oct 2026, 14:03".
 *
 * @param time RFC 3339
 * @param timeZone that of the computer by default
 */
export function formatExact(time: string, language: string, timeZone?: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const options = { dateStyle: "medium", timeStyle: "short", timeZone } as const;
  const format = once(
    `exact ${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(language, options),
  );
  return format.format(date);
}

/** A text of another language inside a sentence, in its own direction (UAX 9: FSI, PDI). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
