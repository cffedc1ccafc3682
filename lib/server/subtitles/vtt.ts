import { cleanCueText } from "./vtt_text.ts";
import { readTiming } from "./time.ts";

/** One subtitle, with its times. */
export interface Cue {
  /** Milliseconds from the beginning of the film. */
  start: number;
  end: number;
  /** WebVTT cue settings: "line:0 align:start"; usually empty. */
  settings: string;
  /** Lines of WebVTT cue text, none of them empty. */
  text: string;
}

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
