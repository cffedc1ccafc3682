import { type Cue, escapeText, readTiming, withoutEmptyLines } from "./cue.ts";

/** Parsed subtitles. */
export interface Subtitles {
  /** Style and region blocks, which only WebVTT has, unchanged. */
  blocks: string[];
  cues: Cue[];
}

const number = String.raw`\d{1,6}(?:\.\d{1,6})?`;

/** Settings allowed after the times of a cue. */
const setting = new RegExp(
  `^(?:${
    [
      "vertical:(?:rl|lr)",
      `line:-?${number}%?(?:,(?:start|center|end))?`,
      `position:${number}%(?:,(?:line-left|center|line-right))?`,
      `size:${number}%`,
      "align:(?:start|center|end|left|right)",
      "region:[^\\s>]+",
    ].join("|")
  })$`,
);

/** Whether a text has the WebVTT signature. */
export function isVtt(text: string): boolean {
  return /^WEBVTT(?=[ \t\r\n]|$)/.test(text);
}

/**
 * Parses WebVTT and keeps its valid parts: comments and cue names are dropped, invalid tags become
 * text.
 */
export function parseVtt(text: string): Subtitles {
  const subtitles: Subtitles = { blocks: [], cues: [] };
  // Lines up to the first empty one belong to the header.
  const [, ...blocks] = text.split(/\r\n|\r|\n/).join("\n").split(/\n{2,}/);
  for (const block of blocks) {
    const lines = block.split("\n").filter((line) => line !== "");
    const place = lines.slice(0, 2).findIndex((line) => line.includes("-->"));
    if (place !== -1) {
      const cue = readCue(lines.slice(place));
      if (cue) subtitles.cues.push(cue);
    } else if (isKept(lines, subtitles)) subtitles.blocks.push(lines.join("\n"));
  }
  return subtitles;
}

function readCue([line = "", ...lines]: string[]): Cue | null {
  const timing = readTiming(line);
  const text = cleanCueText(lines.join("\n"));
  if (!timing || timing.end <= timing.start || text === "") return null;
  const settings = timing.rest.split(/\s+/).map((each) =>
    each.replace(/^align:middle$/, "align:center")
  )
    .filter((each) => setting.test(each)).join(" ");
  return { start: timing.start, end: timing.end, settings, text };
}

/** Style sheets and regions are valid only before the first cue, and if not empty. */
function isKept([first = "", ...others]: string[], { cues }: Subtitles): boolean {
  return /^(?:STYLE|REGION)[ \t]*$/.test(first) && cues.length === 0 && others.length > 0 &&
    !others.some((line) => line.includes("-->"));
}

/** A WebVTT tag with its classes and annotation, or a karaoke timestamp. */
const tag =
  /<(\/?)(ruby|rt|lang|[cibuv])((?:\.[^\s<>&.]{1,60})*)([ \t][^<>&\n]*)?>|<((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})>/g;

/** Tags that require an annotation: a voice, or a language. */
const annotated = new Set(["v", "lang"]);

/** Sanitizes cue text: matching tags stay, everything else is text. */
function cleanCueText(text: string): string {
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
