import { type AssStyle, plainStyle } from "./ass_style.ts";
import { type Run, type Style, writeRuns } from "./markup.ts";
import { type Anchor, type Point, readAnchor, readOldAnchor, settingsOf } from "./position.ts";

/** The styles of a script, and the picture size that positions refer to. */
export interface AssScript {
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
export function readAssText(
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
