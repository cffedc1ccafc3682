const ascii = /^\p{ASCII}*$/u;
const digits = /[0-9]+/g;
const hasDigit = /[0-9]/;

/** Latin, Greek and Cyrillic accents. Marks of other scripts are letters of their own. */
const accents = /[\u0300-\u036f]/g;

/** Letters that do not decompose into a base letter and an accent. */
const ligatures: Record<string, string> = {
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "o",
  "đ": "d",
  "ð": "d",
  "ł": "l",
  "þ": "th",
  "ı": "i",
  "ħ": "h",
};
const ligature = new RegExp(`[${Object.keys(ligatures).join("")}]`, "g");

/**
 * The sort key of a name: keys in code unit order are names in natural order, "a2" before "a10",
 * "B" beside "b", "é" beside "e". Independent of any locale, so that all viewers and servers agree.
 *
 * A run of digits becomes "0", a character for its length without leading zeros, and the digits:
 * longer numbers are larger, and all of them sort where digits sort.
 */
export function nameKey(name: string): string {
  const folded = ascii.test(name) ? name.toLowerCase() : fold(name);
  return hasDigit.test(folded) ? folded.replace(digits, numberKey) : folded;
}

/** Tie-break of names with equal keys: by accents and zeros, then case; never 0 for two names. */
export function compareNames(a: string, b: string): number {
  const lowerA = a.toLowerCase();
  const lowerB = b.toLowerCase();
  if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function fold(name: string): string {
  return name.normalize("NFKD").toLowerCase().replace(accents, "")
    .replace(ligature, (letter) => ligatures[letter] ?? letter);
}

function numberKey(run: string): string {
  let start = 0;
  while (start < run.length - 1 && run[start] === "0") start++;
  const significant = start === 0 ? run : run.slice(start);
  return `0${String.fromCharCode(significant.length)}${significant}`;
}
