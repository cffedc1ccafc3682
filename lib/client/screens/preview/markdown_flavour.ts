import type { MarkedExtension, Token, Tokens } from "marked";

/** The fragment of a note, and that of the place that refers to it. */
export const noteName = (number: number) => `note-${number}`;
export const noteMarkName = (number: number) => `note-mark-${number}`;

/** What a document says about itself, in YAML or TOML: "---", lines, "---". */
const FRONT_MATTER = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n([^]*?\r?\n)\1[ \t]*(?:\r?\n|$)/;

/** A line of it; a heading between two rules is none. */
const FIELD = /^["']?[\p{L}\p{N}_][^:=]*[:=]/u;

/** A formula between pairs of dollars, which has no blank line. */
const FORMULA = /^\$\$((?:[^\n]|\n(?!\n))+?)\$\$[ \t]*(?:\n+|$)/;

/**
 * A formula within a line, as GitHub finds it: no space inside its dollars, and no letter or digit
 * beside them, so that prices and variables stay text.
 */
const INLINE_FORMULA =
  /^(?:\$`([^`]{1,500})`\$|(\$\$?)(?![\s$])((?:\\[^]|[^\\$`]){0,500}?[^\s\\$`])\2)(?![\w$])/;
const BEFORE_TEXT = /[\w$]$/;

/** The dollar that ends a text: the parser ends it at the other marks itself. */
const NEXT_DOLLAR = /^[^\\<![`*~_$]*\$/;

const NOTE_MARK = /^\[\^([^\]\s]{1,200})\]/;
const NOTE = /^\[\^([^\]\s]{1,200})\]:[ \t]*/;

/** The boxes of GitHub: a quote whose first line tells of what kind it is. */
const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

interface Note {
  tokens: Token[];
  /** 0 until a text refers to it. */
  number: number;
}

/**
 * What writers expect of Markdown beside GitHub's tables and lists: front matter and formulas stay
 * as they were written, quotes may be boxes, and footnotes are gathered at the end, where the last
 * list is theirs. For one document only.
 */
export function flavour(): MarkedExtension {
  const notes = new Map<string, Note>();
  let numbered = 0;
  let isInNote = false;
  let hasDollars = false;
  return {
    hooks: {
      preprocess(text) {
        hasDollars = text.includes("$");
        return fenceFrontMatter(text);
      },
      processAllTokens(tokens) {
        if (notes.size > 0) tokens.push({ type: "notes", raw: "" });
        return tokens;
      },
    },
    walkTokens(token) {
      if (token.type === "blockquote") nameAlert(token as Tokens.Blockquote);
    },
    extensions: [
      {
        name: "formula",
        level: "block",
        tokenizer(text) {
          const [raw, formula] = FORMULA.exec(text) ?? [];
          if (raw === undefined || formula === undefined) return;
          return { type: "code", raw, text: formula.replace(/^\n|\n$/g, "") };
        },
      },
      {
        name: "inlineFormula",
        level: "inline",
        start: (text) => {
          const [before] = hasDollars ? NEXT_DOLLAR.exec(text) ?? [] : [];
          return before === undefined ? undefined : before.length - 1;
        },
        tokenizer(text, before) {
          const found = INLINE_FORMULA.exec(text);
          if (!found || BEFORE_TEXT.test(before.at(-1)?.raw ?? "")) return;
          return { type: "codespan", raw: found[0], text: found[1] ?? found[3] ?? "" };
        },
      },
      {
        name: "note",
        level: "block",
        start: (text) => indexIn(text, /^\[\^[^\]\s]{1,200}\]:/m),
        tokenizer(text) {
          const [mark, name] = NOTE.exec(text) ?? [];
          if (mark === undefined || name === undefined || isInNote) return;
          const raw = text.slice(0, endOfNote(text));
          const tokens: Token[] = [];
          isInNote = true;
          this.lexer.blockTokens(raw.slice(mark.length).replace(/^(?: {1,4}|\t)/gm, ""), tokens);
          isInNote = false;
          if (!notes.has(name)) notes.set(name, { tokens, number: 0 });
          return { type: "note", raw };
        },
        renderer: () => "",
      },
      {
        name: "noteMark",
        level: "inline",
        tokenizer(text) {
          const [raw, name = ""] = NOTE_MARK.exec(text) ?? [];
          const note = notes.get(name);
          if (raw === undefined || !note) return;
          if (note.number === 0) note.number = ++numbered;
          return { type: "noteMark", raw, number: note.number };
        },
        renderer: ({ number }) => `<sup><a href="#${noteName(number)}">${number}</a></sup>`,
      },
      {
        name: "notes",
        renderer() {
          // Those that no text refers to come last.
          const order = ({ number }: Note) => number || Infinity;
          const all = [...notes.values()].sort((a, b) => order(a) > order(b) ? 1 : -1);
          const items = all.map((note) => {
            const text = this.parser.parse(note.tokens);
            if (note.number === 0) return `<li>${text}</li>\n`;
            const back = ` <a href="#${noteMarkName(note.number)}">↩</a>`;
            return `<li>${text.replace(/(?:<\/p>)?\s*$/, (end) => back + end)}</li>\n`;
          });
          return `<hr>\n<ol>\n${items.join("")}</ol>\n`;
        },
      },
    ],
  };
}

/** Where a paragraph ends before its blank line: all that follows would be searched again and again. */
function indexIn(text: string, start: RegExp): number | undefined {
  const end = text.indexOf("\n\n");
  return start.exec(end === -1 ? text : text.slice(0, end))?.index;
}

function fenceFrontMatter(text: string): string {
  const [all, , fields = ""] = FRONT_MATTER.exec(text) ?? [];
  const first = fields.split("\n").map((line) => line.trim()).find((line) => /^[^#]/.test(line));
  if (all === undefined || first === undefined || !FIELD.test(first)) return text;
  const fence = "~".repeat(
    1 + Math.max(2, ...(fields.match(/~+/g) ?? []).map((run) => run.length)),
  );
  return `${fence}yaml\n${fields.trimEnd()}\n${fence}\n\n${text.slice(all.length)}`;
}

/** A note ends before another, or at a blank line without an indented one below. */
function endOfNote(text: string): number {
  let end = 0;
  let isBlank = false;
  while (end < text.length) {
    const newline = text.indexOf("\n", end);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(end, next);
    if (end > 0 && (NOTE.test(line) || (isBlank && /^(?! {4}|\t)[^\n]/.test(line)))) break;
    isBlank = line.trim() === "";
    end = next;
  }
  return end;
}

function nameAlert(quote: Tokens.Blockquote): void {
  const [first] = quote.tokens;
  if (first?.type !== "paragraph") return;
  const [words, next] = first.tokens ?? [];
  const [line, kind] = ALERT.exec(words?.type === "text" ? words.raw : "") ?? [];
  if (!words || line === undefined || kind === undefined) return;
  const text = words.raw.slice(line.length);
  Object.assign(words, { raw: text, text });
  // Two spaces behind the kind.
  if (text === "" && next?.type === "br") first.tokens?.splice(1, 1);
  const name = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
  const strong = { type: "strong", raw: name, text: name, tokens: [textToken(name)] };
  quote.tokens.unshift({ type: "paragraph", raw: name, text: name, tokens: [strong] });
}

function textToken(text: string): Token {
  return { type: "text", raw: text, text, escaped: false };
}
