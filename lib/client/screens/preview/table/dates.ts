/** Longer texts are no dates. */
const LONGEST = 40;

const TIME = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap])?\.?m?\.?)?`;
const NUMBERS = new RegExp(`^(\\d{1,4})[-/.] ?(\\d{1,2})[-/.] ?(\\d{2,4})\\.?${TIME}$`, "i");
const NAMED = new RegExp(
  `^(?:[a-z]+,? )?(?:(\\d{1,2})\\.?[ -]([a-z]{3,9})|([a-z]{3,9})\\.? (\\d{1,2}))\\.?,?[ -](\\d{2,4})${TIME}$`,
  "i",
);
const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

/** The time of a date, for sorting; null for other texts. */
export type ReadDate = (cell: string) => number | null;

/**
 * Makes a reader of the dates in a column, or null for a column that has other texts, too. Whether
 * the day or the month of "01/02/2026" comes first is told by the other cells.
 *
 * @param language decides where no cell tells
 */
export function dateReader(cells: Iterable<string>, language: string): ReadDate | null {
  let [count, first, second, isDotted] = [0, 0, 0, false];
  for (const cell of cells) {
    count++;
    if (timeOf(cell, true) === null && timeOf(cell, false) === null) return null;
    const [, one = "0", two = "0"] = NUMBERS.exec(cell.trim()) ?? [];
    first = Math.max(first, one.length > 2 ? 0 : Number(one));
    second = Math.max(second, one.length > 2 ? 0 : Number(two));
    isDotted ||= /^\d{1,2}\.\d{1,2}\./.test(cell.trim());
  }
  if (count === 0 || (first > 12 && second > 12)) return null;
  const isDayFirst = first > 12 || (second <= 12 && (isDotted || !/^en(-US)?$/.test(language)));
  return (cell) => timeOf(cell, isDayFirst);
}

function timeOf(cell: string, isDayFirst: boolean): number | null {
  const text = cell.trim();
  if (text.length > LONGEST || !/^[\da-z]/i.test(text)) return null;
  const [, one = "", two = "", three = "", ...time] = NUMBERS.exec(text) ?? [];
  if (one.length > 2) return timeAt(one, two, three, time);
  if (one !== "") {
    return isDayFirst ? timeAt(three, two, one, time) : timeAt(three, one, two, time);
  }
  const [, day, month, monthFirst, dayAfter, year = "", ...named] = NAMED.exec(text) ?? [];
  const name = (month ?? monthFirst ?? "?").slice(0, 3).toLowerCase();
  const place = MONTHS.indexOf(name);
  if (place < 0 || place % 3 > 0) return null;
  return timeAt(year, String(place / 3 + 1), day ?? dayAfter ?? "", named);
}

function timeAt(
  year: string,
  month: string,
  day: string,
  [hour = "0", minute = "0", second = "0", half]: readonly (string | undefined)[],
): number | null {
  if (year.length === 3) return null;
  const full = Number(year) + (year.length === 2 ? Number(year) < 70 ? 2000 : 1900 : 0);
  const isInside = (value: string, most: number) => Number(value) >= 1 && Number(value) <= most;
  if (!isInside(month, 12) || !isInside(day, 31) || Number(hour) > 24) return null;
  const hours = half === undefined
    ? Number(hour)
    : Number(hour) % 12 + (half.toLowerCase() === "p" ? 12 : 0);
  return Date.UTC(full, Number(month) - 1, Number(day), hours, Number(minute), Number(second));
}
