import {
  type Anchor,
  type Cue,
  milliseconds,
  type Point,
  readAnchor,
  readOldAnchor,
  type Run,
  settingsOf,
  type Style,
  writeRuns,
} from "./cue.ts";

/** Default fields of dialogue in scripts without a format line. */
const usualFields = "layer,start,end,style,name,marginl,marginr,marginv,effect,text".split(",");

/** Whether a text has the sections of an ASS or SSA script. */
export function isAss(text: string): boolean {
  return /^[ \t]*\[(?:script info|events|v4\+? styles)\]/im.test(text.slice(0, 64 * 1024));
}

/**
 * Parses (Advanced) SubStation Alpha, in linear time: `ass-compiler` needs 4 s for a line of 80 KB,
 * and loses `{\b}`, which resets to the style. Bold, italics, underlining and the approximate
 * position are kept; fonts, colours, movement, drawings and comments are dropped.
 */
export function parseAss(text: string): Cue[] {
  const script: AssScript = { styles: new Map<string, AssStyle>(), width: 384, height: 288 };
  const cues: Cue[] = [];
  let section = "";
  let fields = usualFields;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const header = /^\s*\[([^\]]*)\]\s*$/.exec(line)?.[1];
    if (header !== undefined) {
      section = header.trim().toLowerCase();
      fields = usualFields;
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "format") fields = value.toLowerCase().split(",").map((field) => field.trim());
    else if (section === "script info") readInfo(script, name, value);
    else if (name === "style" && section.startsWith("v4")) {
      const values = valuesOf(value, fields);
      const styleName = values.get("name")?.toLowerCase() ?? "";
      script.styles.set(styleName, readStyle(values, !section.includes("+")));
    } else if (name === "dialogue" && section === "events") {
      const cue = readDialogue(valuesOf(value, fields), script);
      if (cue) cues.push(cue);
    }
  }
  return cues;
}

function readInfo(script: AssScript, name: string, value: string): void {
  const size = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (size > 0 && name === "playresx") script.width = size;
  if (size > 0 && name === "playresy") script.height = size;
}

function readDialogue(values: Map<string, string>, script: AssScript): Cue | null {
  const start = readTime(values.get("start"));
  const end = readTime(values.get("end"));
  if (start === null || end === null || end <= start) return null;
  const styleName = values.get("style")?.replace(/^\*/, "").toLowerCase() ?? "";
  const { text, settings } = readAssText(
    values.get("text") ?? "",
    script,
    script.styles.get(styleName),
  );
  return text === "" ? null : { start, end, settings, text };
}

/** `1:02:03.45`, in hundredths. */
function readTime(text = ""): number | null {
  const [, ...parts] = /^\s*(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,3}))?\s*$/.exec(text) ?? [];
  return parts.length === 0 ? null : milliseconds(...parts);
}

/** The values of a line by field name; the last may contain commas. */
function valuesOf(line: string, fields: string[]): Map<string, string> {
  const values = new Map<string, string>();
  let start = 0;
  for (const [index, field] of fields.entries()) {
    const comma = index === fields.length - 1 ? -1 : line.indexOf(",", start);
    const end = comma === -1 ? line.length : comma;
    const value = line.slice(start, end);
    values.set(field, field === "text" ? value : value.trim());
    if (comma === -1) break;
    start = comma + 1;
  }
  return values;
}

/** A style of ASS, as far as it is used. */
interface AssStyle {
  anchor: Anchor;
  bold: boolean;
  italic: boolean;
  underline: boolean;
}

/** The style of text without one. */
const plainStyle: AssStyle = { anchor: 2, bold: false, italic: false, underline: false };

/**
 * Parses a line of the styles section.
 *
 * @param fields the values by lower-case name
 * @param isOld SSA, which numbers anchors in another way
 */
function readStyle(fields: Map<string, string>, isOld: boolean): AssStyle {
  const alignment = fields.get("alignment") ?? "";
  const anchor = isOld ? readOldAnchor(alignment) : readAnchor(alignment);
  const isOn = (name: string) => /^-?[1-9]\d{0,3}$/.test(fields.get(name) ?? "");
  return {
    anchor: anchor ?? plainStyle.anchor,
    bold: isOn("bold"),
    italic: isOn("italic"),
    underline: isOn("underline"),
  };
}

/** The styles of a script, and the picture size that positions refer to. */
interface AssScript {
  styles: Map<string, AssStyle>;
  width: number;
  height: number;
}

/** Override commands in braces, or a comment. */
const override = /\{([^{}]*)\}/g;

/** Parser of ASS text. */
class Reading {
  readonly runs: Run[] = [];
  anchor: Anchor | null = null;
  point: Point | null = null;
  #worn: AssStyle;
  #isDrawing = false;

  constructor(readonly script: AssScript, readonly base: AssStyle) {
    this.#worn = base;
  }

  text(piece: string): void {
    if (piece === "" || this.#isDrawing) return;
    const worn = new Set<Style>();
    if (this.#worn.bold) worn.add("b");
    if (this.#worn.italic) worn.add("i");
    if (this.#worn.underline) worn.add("u");
    const text = piece.replaceAll("\\N", "\n").replaceAll("\\n", " ").replaceAll("\\h", "\u00a0");
    this.runs.push({ text, styles: worn });
  }

  command(command: string): void {
    const [, name, value = ""] = /^(an|a|b|i|u|p|r)(.*)$/.exec(command) ?? [];
    switch (name) {
      case "an":
        this.anchor ??= readAnchor(value);
        break;
      case "a":
        this.anchor ??= readOldAnchor(value);
        break;
      case "b":
        // From 600 on it is a font weight.
        this.#wear({
          bold: onOff(value, this.base.bold, (weight) => weight === 1 || weight >= 600),
        });
        break;
      case "i":
        this.#wear({ italic: onOff(value, this.base.italic) });
        break;
      case "u":
        this.#wear({ underline: onOff(value, this.base.underline) });
        break;
      case "p":
        if (/^\d+$/.test(value)) this.#isDrawing = Number(value) > 0;
        else this.#place(command);
        break;
      case "r":
        this.#worn = this.script.styles.get(value.trim().toLowerCase()) ?? this.base;
        break;
      default:
        this.#place(command);
    }
  }

  #wear(change: Partial<AssStyle>): void {
    this.#worn = { ...this.#worn, ...change };
  }

  /** `pos(10,20)`, or the start of `move(10,20,…)`. */
  #place(command: string): void {
    const [, x, y] =
      /^(?:pos|move)\(\s*(-?[\d.]{1,12})\s*,\s*(-?[\d.]{1,12})\s*[,)]/.exec(command) ??
        [];
    const { width, height } = this.script;
    const point = { x: Number(x) / width * 100, y: Number(y) / height * 100 };
    if (Number.isFinite(point.x) && Number.isFinite(point.y)) this.point ??= point;
  }
}

/** Parses the text of a line of dialogue: the cue's text and position. */
function readAssText(
  text: string,
  script: AssScript,
  style: AssStyle = plainStyle,
): { text: string; settings: string } {
  const reading = new Reading(script, style);
  let last = 0;
  for (const match of text.matchAll(override)) {
    reading.text(text.slice(last, match.index));
    last = match.index + match[0].length;
    for (const command of (match[1] ?? "").split("\\").slice(1)) reading.command(command.trim());
  }
  reading.text(text.slice(last));
  const settings = settingsOf(reading.anchor ?? style.anchor, reading.point);
  return { text: writeRuns(reading.runs), settings };
}

/** A toggle; without a value it resets to the style's. */
function onOff(
  value: string,
  usual: boolean,
  isOn: (value: number) => boolean = (value) => value !== 0,
): boolean {
  return /^\d{1,4}$/.test(value) ? isOn(Number(value)) : usual;
}
