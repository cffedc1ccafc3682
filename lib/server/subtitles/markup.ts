/** Styles that are kept, in the order in which their tags are nested. */
const styles = ["b", "i", "u"] as const;

/** One of the styles that are kept. */
export type Style = typeof styles[number];

/** A piece of text in one style. */
export interface Run {
  text: string;
  styles: ReadonlySet<Style>;
}

/** Character references that mean the same in all kinds of subtitles. */
const reference = /&(?!(?:amp|lt|gt|nbsp|lrm|rlm|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});)/gi;

/**
 * Makes text harmless in a cue: no tag and no arrow can come out of it, and no line end another cue
 * could begin at. What is a character reference stays one.
 */
export function escapeText(text: string): string {
  return text.replace(reference, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Writes pieces of text as lines of a cue: tags are closed on the spot, empty lines left out. */
export function writeRuns(runs: readonly Run[]): string {
  return withoutEmptyLines(runs.map(writeRun).join(""));
}

/** An empty line would end the cue. */
export function withoutEmptyLines(text: string): string {
  return text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "")
    .join("\n");
}

/** Each line has tags of its own, so that it can be taken out alone. */
function writeRun({ text, styles: worn }: Run): string {
  const tags = styles.filter((style) => worn.has(style));
  const opening = tags.map((tag) => `<${tag}>`).join("");
  const closing = tags.toReversed().map((tag) => `</${tag}>`).join("");
  return text.split(/(\r\n|\r|\n)/).map((piece) =>
    piece.trim() === "" ? piece : opening + escapeText(piece) + closing
  ).join("");
}
