import { escapeText, withoutEmptyLines } from "./markup.ts";

/** A WebVTT tag with its classes and annotation, or a karaoke timestamp. */
const tag =
  /<(\/?)(ruby|rt|lang|[cibuv])((?:\.[^\s<>&.]{1,60})*)([ \t][^<>&\n]*)?>|<((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})>/g;

/** Tags that require an annotation: a voice, or a language. */
const annotated = new Set(["v", "lang"]);

/** Sanitizes cue text: matching tags stay, everything else is text. */
export function cleanCueText(text: string): string {
  const pieces: string[] = [];
  const open: string[] = [];
  let last = 0;
  for (const match of text.matchAll(tag)) {
    const [whole, slash, name = "", classes = "", annotation = ""] = match;
    const kept = match[5] !== undefined ? whole : keep(open, name, slash, classes, annotation);
    pieces.push(escapeText(text.slice(last, match.index)), kept);
    last = match.index + whole.length;
  }
  pieces.push(escapeText(text.slice(last)), ...open.reverse().map((name) => `</${name}>`));
  return withoutEmptyLines(pieces.join(""));
}

/** The normalized tag; empty when it closes no open tag or lacks its annotation. */
function keep(
  open: string[],
  name: string,
  slash: string | undefined,
  classes: string,
  annotation: string,
): string {
  if (slash === "/") {
    if (open.at(-1) !== name) return "";
    open.pop();
    return `</${name}>`;
  }
  const words = annotation.trim();
  const isNeeded = annotated.has(name);
  if ((isNeeded && words === "") || (name === "rt" && open.at(-1) !== "ruby")) return "";
  open.push(name);
  return `<${name}${classes}${isNeeded ? ` ${words}` : ""}>`;
}
