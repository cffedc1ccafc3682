/** The line ending of a text; text of one line counts as "lf". */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed";

/** Detects the line ending of a text. */
export function lineEndingOf(text: string): LineEnding {
  if (!text.includes("\r")) return "lf";
  const seen = new Set<LineEnding>();
  for (let index = 0; index < text.length && seen.size < 2; index++) {
    const character = text[index];
    if (character === "\n") seen.add("lf");
    if (character !== "\r") continue;
    const isPair = text[index + 1] === "\n";
    seen.add(isPair ? "crlf" : "cr");
    if (isPair) index++;
  }
  const [first = "lf", second] = seen;
  return second === undefined ? first : "mixed";
}
