/** A colour: the number of one of the theme's 16, or "#rrggbb". */
export type Colour = number | string;

/** The style of a piece of output. */
export interface TextStyle {
  fg?: Colour;
  bg?: Colour;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
  hidden?: boolean;
}

/** A run of characters with one style. */
export interface Span {
  text: string;
  style: TextStyle;
}

/** One character and its style. */
interface Cell {
  text: string;
  style: TextStyle;
}

/** The distance of tab stops, in columns. */
const TAB = 8;

/** The highest column that the cursor can be moved to; lines of text can be longer. */
const WIDEST = 1_000;

/** C0 and C1 control characters. */
// deno-lint-ignore no-control-regex -- control characters are matched on purpose
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/**
 * A control sequence (ECMA-48): CSI with its parameters and its last letter; strings such as titles
 * and links, which end with BEL or ST; other escapes; single controls.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])`,
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)`,
    String.raw`\x1b[ -/]*[0-~]?`,
    String.raw`(?<control>[\x00-\x1f\x7f-\x9f])`,
  ].join("|"),
  "g",
);

const PLAIN: TextStyle = {};

/** The styles that SGR parameters (ECMA-48, 8.3.117) set and reset. */
const SWITCHES: Record<number, TextStyle> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  8: { hidden: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  28: { hidden: undefined },
  29: { strike: undefined },
  39: { fg: undefined },
  49: { bg: undefined },
};

/**
 * Renders lines of output as a terminal does. Colours carry over to the next line; a carriage
 * return or a cursor movement within the line overwrites from there; other movements, and
 * everything else that a list of lines can't show, are ignored.
 */
export class AnsiReader {
  #style: TextStyle = PLAIN;

  /** The runs of the next line. */
  line(text: string): Span[] {
    if (!CONTROL.test(text)) return text === "" ? [] : [{ text, style: this.#style }];
    const cells: Cell[] = [];
    let column = 0;
    const write = (plain: string) => {
      for (const character of plain) {
        // A zero-width character, such as an accent, joins the cell before it.
        const before = cells[column - 1];
        if (before && /^[\p{M}\u200d\ufe0e\ufe0f]$/u.test(character)) before.text += character;
        else cells[column++] = { text: character, style: this.#style };
      }
    };
    const goTo = (wanted: number) => {
      column = Math.max(0, Math.min(wanted, Math.max(cells.length, WIDEST)));
      while (cells.length < column) cells.push({ text: " ", style: PLAIN });
    };
    let end = 0;
    for (const match of text.matchAll(SEQUENCE)) {
      write(text.slice(end, match.index));
      end = match.index + match[0].length;
      const { parameters = "", final, control } = match.groups ?? {};
      if (final === "m") this.#style = styleAfter(this.#style, parameters);
      else if (final === "K") erase(cells, column, parameters);
      else if (final === "C" || final === "D" || final === "G") {
        const by = Number(parameters) || 1;
        goTo(final === "G" ? by - 1 : column + (final === "C" ? by : -by));
      } else if (control === "\r") column = 0;
      else if (control === "\b") goTo(column - 1);
      else if (control === "\t") goTo(column + TAB - column % TAB);
    }
    write(text.slice(end));
    return spansOf(cells);
  }
}

/** Erases in the line (ECMA-48, 8.3.41): from the cursor on, up to it, or all. */
function erase(cells: Cell[], column: number, parameters: string): void {
  const which = Number(parameters) || 0;
  if (which === 0) cells.length = Math.min(cells.length, column);
  const last = which === 2 ? cells.length : Math.min(cells.length, column + 1);
  for (let at = 0; which > 0 && at < last; at++) cells[at] = { text: " ", style: PLAIN };
}

function spansOf(cells: readonly Cell[]): Span[] {
  const spans: Span[] = [];
  for (const { text, style } of cells) {
    const last = spans.at(-1);
    if (last?.style === style) last.text += text;
    else spans.push({ text, style });
  }
  return spans;
}

function styleAfter(style: TextStyle, parameters: string): TextStyle {
  // Private sequences end with "m", too: "ESC [ > 4 ; 2 m".
  if (/[<=>?]/.test(parameters)) return style;
  let after = style;
  const groups = parameters.split(";").map((group) => group.split(":"));
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at] ?? [];
    const code = Number(group[0]) || 0;
    if (code === 0) after = PLAIN;
    else if (code === 38 || code === 48) {
      const isWhole = group.length > 1;
      const numbers = isWhole ? group.slice(1) : groups.slice(at + 1).map(([first = ""]) => first);
      const { colour, used } = colourOf(numbers, isWhole);
      if (!isWhole) at += used;
      if (colour !== undefined) after = { ...after, [code === 38 ? "fg" : "bg"]: colour };
    } else if (code === 4 && group[1] === "0") after = { ...after, underline: undefined };
    else if (SWITCHES[code]) after = { ...after, ...SWITCHES[code] };
    else after = withBasicColour(after, code);
  }
  return after;
}

/** The eight colours and their bright variants, for text and background. */
function withBasicColour(style: TextStyle, code: number): TextStyle {
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 90 + 8 };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 100 + 8 };
  return style;
}

/**
 * A colour of 256 ("5;n") or a true one ("2;r;g;b"; with colons a colour space may come before it).
 *
 * @returns the number of further parameters consumed
 */
function colourOf(
  [kind, ...numbers]: string[],
  isWhole: boolean,
): { colour?: Colour; used: number } {
  if (kind === "5") return { colour: indexed(byte(numbers[0])), used: 2 };
  if (kind !== "2") return { used: 1 };
  const rgb = isWhole ? numbers.slice(-3) : numbers.slice(0, 3);
  return { colour: hex(rgb.map(byte)), used: 4 };
}

/** The palette of 256: the theme's 16, a cube of 6 x 6 x 6, 24 greys. */
function indexed(index: number): Colour {
  if (index < 16) return index;
  if (index >= 232) return hex(new Array(3).fill(8 + 10 * (index - 232)));
  const steps = [Math.floor((index - 16) / 36), Math.floor((index - 16) / 6) % 6, (index - 16) % 6];
  return hex(steps.map((step) => step === 0 ? 0 : 55 + 40 * step));
}

function byte(text = ""): number {
  return Math.min(255, Number(text) || 0);
}

function hex(rgb: number[]): string {
  const digits = [0, 1, 2].map((at) => (rgb[at] ?? 0).toString(16).padStart(2, "0"));
  return `#${digits.join("")}`;
}
