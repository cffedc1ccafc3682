/** Tables and sizes, as a terminal shows them and as they are typed. */

/** Lines of a table with aligned columns, for a terminal. */
export function tableLines(head: readonly string[], rows: readonly string[][]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? "")].length))
  );
  return all.map((row) =>
    row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length))
      .join("  ").trimEnd()
  );
}

/** Units of 1000, as for disks and on the pages, and those of 1024. */
const units = ["", "K", "M", "G", "T", "P"];

/**
 * Reads a size such as `10GB`, `1.5 GiB` or `1000`.
 *
 * @returns bytes; null for what is no size, or too large to be exact
 */
export function readSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGTP]?)(i?)B?$/i.exec(text.trim());
  if (!match) return null;
  const [, digits, letter = "", binary] = match;
  if (binary && !letter) return null;
  const base = binary ? 1024 : 1000;
  const bytes = Math.round(Number(digits) * base ** units.indexOf(letter.toUpperCase()));
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** A size for people: `1.2 GB`. */
export function sizeText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  for (; Number(value.toPrecision(3)) >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${Number(value.toPrecision(3))} ${units[unit]}B`;
}
