import {
  type Anchor,
  type Cue,
  readAnchor,
  readTiming,
  type Run,
  settingsOf,
  type Style,
  type Timing,
  writeRuns,
} from "./cue.ts";

/** A tag as in HTML, or a style as in ASS, which many files contain. */
const markup = /<(\/?)([a-z]{1,10})(?:\s[^<>]*)?\/?>|\{\\([^{}]*)\}/gi;

/** Replacements of tags; an empty text drops the tag. All other tags are text. */
const tags: Record<string, Style | ""> = {
  ...{ b: "b", strong: "b", i: "i", em: "i", u: "u" },
  ...{ font: "", span: "", c: "", s: "", strike: "", p: "", br: "" },
};

/**
 * Parses SubRip subtitles leniently: numbers may be missing or wrong, the text may contain empty
 * lines, times may have dots. Bold, italics, underlining and position are kept.
 */
export function parseSrt(text: string): Cue[] {
  const cues: Cue[] = [];
  let timing: Timing | null = null;
  let lines: string[] = [];
  const finish = (isEnd: boolean) => {
    if (!isEnd && /^\s*\d+\s*$/.test(lines.at(-1) ?? "")) lines.pop();
    if (timing && timing.end > timing.start) {
      const cue = makeCue(timing, lines.join("\n"));
      if (cue.text !== "") cues.push(cue);
    }
    lines = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const next = readTiming(line);
    if (!next) {
      lines.push(line);
      continue;
    }
    finish(false);
    timing = next;
  }
  finish(true);
  return cues;
}

function makeCue({ start, end }: Timing, text: string): Cue {
  const runs: Run[] = [];
  const depths: Record<Style, number> = { b: 0, i: 0, u: 0 };
  let anchor: Anchor | null = null;
  let last = 0;
  const add = (piece: string) => {
    const worn = (["b", "i", "u"] as const).filter((style) => depths[style] > 0);
    if (piece !== "") runs.push({ text: piece, styles: new Set(worn) });
  };
  for (const match of text.matchAll(markup)) {
    const [whole, slash, name = "", override] = match;
    const style = override === undefined ? styleOf(name) : null;
    if (override === undefined && style === undefined) continue;
    add(text.slice(last, match.index));
    last = match.index + whole.length;
    if (style) depths[style] = Math.max(0, depths[style] + (slash === "/" ? -1 : 1));
    for (const command of override?.split("\\") ?? []) {
      const [, letter, value] = /^([biu])([01])$/.exec(command.trim()) ?? [];
      if (letter) depths[letter as Style] = Number(value);
      anchor ??= readAnchor(/^an(\d)$/.exec(command.trim())?.[1] ?? "");
    }
    if (name.toLowerCase() === "br") add("\n");
  }
  add(text.slice(last));
  return { start, end, settings: anchor === null ? "" : settingsOf(anchor), text: writeRuns(runs) };
}

function styleOf(name: string): Style | "" | undefined {
  const tag = name.toLowerCase();
  return Object.hasOwn(tags, tag) ? tags[tag] : undefined;
}
