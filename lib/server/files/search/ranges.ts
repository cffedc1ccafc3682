/** Bounds of a number, both included. */
export interface Range {
  from: number;
  to: number;
}

/** Bytes of the units of a size: those of 1000, as the pages show them. */
const units: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

const dayMs = 86_400_000;

/** Milliseconds of the units of an age. */
const ages: Record<string, number> = { h: 3_600_000, d: dayMs, w: 7 * dayMs, y: 365 * dayMs };

/**
 * Reads a bound, and narrows the range by it: `size:>10mb`, `size:<1.5gb`, `modified:>2026-01-31`
 * (from that day on), `modified:<2026-01-31` (before it), `modified:30d` (in the last 30 days; also
 * `h`, `w`, `y`). Days are those of UTC.
 *
 * @param value in lower case
 * @returns whether it is a bound
 */
export function takeRange(
  ranges: { size: Range | null; modified: Range | null },
  option: "size" | "modified",
  value: string,
  now: number,
): boolean {
  const bound = option === "size" ? sizeBound(value) : timeBound(value, now);
  if (bound === null) return false;
  const { from, to } = ranges[option] ?? anything;
  ranges[option] = { from: Math.max(from, bound.from), to: Math.min(to, bound.to) };
  return true;
}

/** Whether a number is in a range; any is in none. */
export function isInRange(range: Range | null, value: number): boolean {
  return range === null || range.from <= value && value <= range.to;
}

const anything: Range = { from: -Infinity, to: Infinity };

function sizeBound(value: string): Range | null {
  const [, side, number = "", unit = "b"] = /^([<>])(\d{1,12}(?:\.\d{1,6})?)([kmgt]?b)?$/
    .exec(value) ?? [];
  if (side === undefined) return null;
  const bytes = Number(number) * (units[unit] ?? 1);
  return side === ">" ? { ...anything, from: bytes } : { ...anything, to: bytes };
}

function timeBound(value: string, now: number): Range | null {
  const [, count, unit = ""] = /^(\d{1,5})([hdwy])$/.exec(value) ?? [];
  if (count !== undefined) return { ...anything, from: now - Number(count) * (ages[unit] ?? 0) };
  const [, side, day = ""] = /^([<>])(\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
  const time = Date.parse(`${day}T00:00:00Z`);
  if (side === undefined || Number.isNaN(time)) return null;
  return side === ">" ? { ...anything, from: time } : { ...anything, to: time - 1 };
}
