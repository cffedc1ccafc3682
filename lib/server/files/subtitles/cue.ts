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

/** A time in SRT and WebVTT: hours are optional, and the fraction begins with "," or ".". */
const time = String.raw`(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,9}))?`;

const timing = new RegExp(String.raw`^\s*${time}\s*-{1,3}>\s*${time}(?:\s+([^]*))?$`);

/** Start and end of a cue in milliseconds, and the rest of the line. */
export interface Timing {
  start: number;
  end: number;
  rest: string;
}

/** Parses `00:00:01,000 --> 00:00:02,500 X1:40`; null for any other line. */
export function readTiming(line: string): Timing | null {
  if (!line.includes("->")) return null;
  const match = timing.exec(line.trimEnd());
  if (!match) return null;
  const [, startHours, startMinutes, startSeconds, startFraction, ...others] = match;
  const [endHours, endMinutes, endSeconds, endFraction, rest = ""] = others;
  return {
    start: milliseconds(startHours, startMinutes, startSeconds, startFraction),
    end: milliseconds(endHours, endMinutes, endSeconds, endFraction),
    rest,
  };
}

/** Milliseconds of a time from its decimal digits; the fraction is of a second. */
export function milliseconds(
  hours = "0",
  minutes = "0",
  seconds = "0",
  fraction = "0",
): number {
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Formats a time for WebVTT: "01:02:03.456". */
export function writeTime(milliseconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const seconds = milliseconds / 1000;
  const fraction = String(milliseconds % 1000).padStart(3, "0");
  return `${two(seconds / 3600)}:${two(seconds / 60 % 60)}:${two(seconds % 60)}.${fraction}`;
}

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

/** The anchor of a cue, as on a number pad: 1 is bottom left, 9 top right. */
export type Anchor = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** A point in per cent of the picture, from its upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** Parses a digit of the number pad. */
export function readAnchor(digit: string): Anchor | null {
  return /^[1-9]$/.test(digit) ? Number(digit) as Anchor : null;
}

/** Bases of the rows in SSA's numbering, and their offsets from the number pad's first row. */
const oldRows = new Map([[0, 0], [4, 6], [8, 3]]);

/** Parses SSA's numbering: 1 to 3 bottom, 5 to 7 top, 9 to 11 middle, from left to right. */
export function readOldAnchor(number: string): Anchor | null {
  if (!/^\d{1,2}$/.test(number)) return null;
  const column = Number(number) % 4;
  const row = oldRows.get(Number(number) - column);
  return column === 0 || row === undefined ? null : (column + row) as Anchor;
}

/** The cue settings for an anchor, and for a point if the cue has one. */
export function settingsOf(anchor: Anchor, point: Point | null = null): string {
  const column = (anchor - 1) % 3;
  const row = Math.floor((anchor - 1) / 3);
  const settings: string[] = [];
  if (point) {
    settings.push(`position:${percent(point.x)}%`);
    settings.push(`line:${percent(point.y)}%${[",end", ",center", ""][row]}`);
  } else if (row > 0) settings.push(row === 2 ? "line:0" : "line:50%,center");
  if (column !== 1) settings.push(column === 0 ? "align:start" : "align:end");
  return settings.join(" ");
}

function percent(value: number): string {
  return String(Math.round(Math.min(100, Math.max(0, value)) * 10) / 10);
}
