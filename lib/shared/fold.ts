// deno-lint-ignore no-control-regex -- the first of the ASCII characters is a control character.
const ascii = /^[\x00-\x7f]*$/;

/**
 * Marks that people leave out: diacritics of European scripts, points of Hebrew and Arabic, and
 * characters without a shape, such as soft hyphens, joiners and the Arabic tatweel. Not those that
 * make another letter, such as the voicing marks of Japanese.
 */
const marks =
  /[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]/g;

/** Letters with others that people type for them, and that Unicode does not take apart. */
const alike: Record<string, string> = {
  ...{ ø: "o", đ: "d", ł: "l", ħ: "h", ŧ: "t", æ: "ae", œ: "oe", ð: "d", þ: "th", ı: "i", ς: "σ" },
  ...{ "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0671": "\u0627" },
  "\u0629": "\u0647",
};
const letters = new RegExp(`[${Object.keys(alike).join("")}]`, "g");

/** Characters whose folded form depends on their neighbours: marks that stay, and parts of syllables. */
const joining =
  /[\p{M}\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\ud7b0-\ud7fb\uff9e-\uffdc\u{16d40}-\u{16d7f}]/u;

const maxAstral = 20_000;

/** The folded forms of characters; null for those that have to be seen with others. */
const forms: (string | null | undefined)[] = new Array(0x10000).fill(undefined);
/** Those beyond the Basic Multilingual Plane, at most {@linkcode maxAstral}. */
const astralForms = new Map<string, string | null>();

/**
 * Folds texts that people take for equal in a search into one: either case, in all scripts
 * ("STRASSE" and "straße", "ΟΔΟΣ" and "οδος", "İ" and "ı" and "i"), with and without accents and
 * points ("Café" and "cafe", "سَلام" and "سلام"), full and half width ("ＡＢＣ", "ｶﾞ"), composed or
 * decomposed. What consists of marks alone becomes "".
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return foldEach(text) ?? foldEach(text.normalize("NFC")) ?? foldWhole(text);
}

/** Folds character by character, which is fast; null where characters depend on others. */
function foldEach(text: string): string | null {
  let folded = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    let form = forms[unit];
    // Half a pair stands for itself.
    if (unit >= 0xd800 && unit < 0xdc00 && isSecondHalf(text.charCodeAt(at + 1))) {
      form = astralForm(text.slice(at, at + 2));
      at++;
    } else if (form === undefined) form = forms[unit] = formOf(text.charAt(at));
    if (form === null) return null;
    folded += form;
  }
  return folded;
}

const isSecondHalf = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

function astralForm(pair: string): string | null {
  let form = astralForms.get(pair);
  if (form === undefined) {
    form = formOf(pair);
    if (astralForms.size >= maxAstral) astralForms.clear();
    astralForms.set(pair, form);
  }
  return form;
}

function formOf(character: string): string | null {
  const form = foldWhole(character);
  return form !== "" && joining.test(character) ? null : form;
}

function foldWhole(text: string): string {
  // Via upper case, which splits "ß" and has only one sigma; "ẞ" becomes "ß" first.
  return text.toLowerCase().toUpperCase().normalize("NFKD").replace(marks, "").toLowerCase()
    .replace(letters, (letter) => alike[letter] ?? letter).normalize("NFC");
}

/**
 * Folds only the case of a text, as {@linkcode foldText} does; composed and decomposed characters
 * are alike. It tells exact hits of a search from those that differ in accents or width.
 */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // A dot left over from "İ" would keep it from matching "i".
  return text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase()
    .replaceAll("i\u0307", "i").replaceAll("ς", "σ").normalize("NFC");
}

/**
 * The case-folded, composed form of a name, equal for names that a case-folding file system takes
 * for the same.
 */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
