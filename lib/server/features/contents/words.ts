import { foldText } from "../../../shared/fold.ts";

/** A word of a text, as it is compared, and where it stands in the text. */
export interface Word {
  /** Folded as names are: see {@linkcode foldText}. */
  word: string;
  start: number;
  /** Exclusive. */
  end: number;
}

/** Takes a word; `false` ends the reading. */
export type TakeWord = (word: string, start: number, end: number) => void | false;

/**
 * The longest word that is distinguished, in UTF-16 units: longer ones count by their beginning.
 */
const maxWordLength = 64;

// deno-lint-ignore no-control-regex -- the first of the ASCII characters is a control character.
const ascii = /^[\x00-\x7f]*$/;
/** ASCII letters and digits, and all that is beyond ASCII: words, mostly. */
const runs = /[A-Za-z0-9\x80-\uffff]+/g;
const hasLongWord = /[A-Za-z0-9]{65}/;

/**
 * A word; of scripts that put no spaces between words (Chinese, Japanese, Korean, Thai and the
 * like) a single character with its marks. A phrase of such characters finds any part of a text.
 */
const single = String
  .raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}]]`;
/** A Korean syllable that is taken apart into its letters. */
const syllable = String
  .raw`[\u1100-\u115f\ua960-\ua97c]+[\u1160-\u11a7\ud7b0-\ud7c6]*[\u11a8-\u11ff\ud7cb-\ud7fb]*`;
const words = new RegExp(
  String.raw`${syllable}|${single}[\p{M}\uff9e\uff9f]*|[[\p{L}\p{N}\p{M}]--${single}]+`,
  "gv",
);

/** Reads the words of a text in their order, until the taker answers `false`. */
export function eachWord(text: string, take: TakeWord): void {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (ascii.test(run)) {
      const word = run.slice(0, maxWordLength).toLowerCase();
      if (take(word, index, index + run.length) === false) return;
      continue;
    }
    for (const { word, start, end } of wordsOfRun(run)) {
      if (take(word, index + start, index + end) === false) return;
    }
  }
}

/** All words of a short text, such as a query. */
export function wordsOf(text: string): string[] {
  const found: string[] = [];
  eachWord(text, (word) => void found.push(word));
  return found;
}

/**
 * A text as the index takes it: its words with spaces between. The index splits it at everything
 * that is neither an ASCII letter or digit nor beyond ASCII, which gives {@link eachWord} again.
 */
export function indexedText(text: string): string {
  if (ascii.test(text) && !hasLongWord.test(text)) return text;
  return wordsOf(text).join(" ");
}

/** Folded words by what they were: words, and characters even more, come again and again. */
const known = new Map<string, string[]>();
const maxKnown = 20_000;
const maxKnownLength = 40;

function* wordsOfRun(run: string): Generator<Word> {
  if (run.length <= maxKnownLength && known.has(run)) {
    for (const word of known.get(run) ?? []) yield { word, start: 0, end: run.length };
    return;
  }
  for (const { 0: piece, index } of run.matchAll(words)) {
    const end = index + piece.length;
    for (const word of foldedWords(piece)) yield { word, start: index, end };
  }
}

/** Folding may make several words of one. */
function foldedWords(piece: string): string[] {
  const before = known.get(piece);
  if (before) return before;
  const folded = [...foldText(piece).matchAll(words)].map(([word]) => cut(word));
  if (piece.length <= maxKnownLength) {
    if (known.size >= maxKnown) known.clear();
    known.set(piece, folded);
  }
  return folded;
}

function cut(word: string): string {
  return word.length > maxWordLength ? word.slice(0, maxWordLength).toWellFormed() : word;
}
