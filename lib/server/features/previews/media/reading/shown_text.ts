/** The longest text that is shown of a file's own words, in characters. */
const maxLength = 300;

/**
 * A text from inside a file, as it may be shown: on one line, without control characters and marks
 * that change the direction of what follows, and not endless. Undefined when nothing is left.
 */
export function shownText(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const plain = text.normalize().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffd]+/gu, " ").trim();
  return plain === "" ? undefined : [...plain].slice(0, maxLength).join("");
}
