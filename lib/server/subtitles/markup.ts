/** Supported styles, in the nesting order of their tags. */
const styles = ["b", "i", "u"] as const;

/** One of the supported styles. */
export type Style = typeof styles[number];

/** A piece of text in one style. */
export interface Run {
  text: string;
  styles: ReadonlySet<Style>;
}

/** Character references common to all kinds of subtitles. */
const reference = /&(?!(?:amp|lt|gt|nbsp|lrm|rlm|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});)/gi;

/**
 * Escapes text for a cue: it can contain no tag and no arrow, and no line break at which another
 * cue could begin. Character references stay.
 */
export function escapeText(text: string): string {
  return text.replace(reference, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Serializes pieces as lines of a cue: tags are closed at once, empty lines dropped. */
export function writeRuns(runs: readonly Run[]): string {
  return withoutEmptyLines(runs.map(writeRun).join(""));
}

/** An empty line would end the cue. */
export function withoutEmptyLines(text: string): string {
  return text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "")
    .join("\n");
}

/** Each line has tags of its own, so that it is valid alone. */
function writeRun({ text, styles: worn }: Run): string {
  const tags = styles.filter((style) => worn.has(style));
  const opening = tags.map((tag) => `<${tag}>`).join("");
  const closing = tags.toReversed().map((tag) => `</${tag}>`).join("");
  return text.split(/(\r\n|\r|\n)/).map((piece) =>
    piece.trim() === "" ? piece : opening + escapeText(piece) + closing
  ).join("");
}
