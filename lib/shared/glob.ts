import { foldText } from "./fold.ts";

/** Wildcards: `*`, `?`, a set in brackets, alternatives in braces. */
const wildcard = /[*?]|\[[^\]]+\]|\{[^{}]*,[^{}]*\}/;

/** The innermost alternatives of a pattern. */
const braces = /\{([^{}]*,[^{}]*)\}/;

/** More alternatives, or longer ones together, are taken literally: each name is held against all. */
const maxAlternatives = 32;
const maxLength = 1_000;

/** Whether a word of a query is a pattern for names: `*.jpg`, `IMG_????`, `[0-9]*`, `*.{jpg,png}`. */
export function isGlob(word: string): boolean {
  return wildcard.test(word) && alternativesOf(word) !== null;
}

/** A word that stands for all that begin with it: `inv*`. */
export function isOpenWord(word: string): boolean {
  return /^[^*?[\]{}]+\*+$/.test(word);
}

/**
 * Compiles a pattern for whole names: `*` stands for any text, `?` for one character, `[a-z]` for
 * one of a set, `[!a-z]` for one not in it, `{jpg,png}` for alternatives. The time of a match grows
 * with the length of name times pattern, never more (catastrophic backtracking): a text between two
 * `*` matches where it stands first, as an atomic group.
 *
 * @param fold as the names are folded that it is matched against
 */
export function globExpression(pattern: string, fold = foldText): RegExp {
  let groups = 0;
  const sourceOf = (alternative: string) => {
    const [first = "", ...rest] = alternative.split(/\*+/).map((part) => partSource(part, fold));
    const last = rest.pop();
    if (last === undefined) return first;
    const between = rest.map((part) => `(?=([^]*?${part}))\\${++groups}`);
    return `${first}${between.join("")}[^]*${last}`;
  };
  const alternatives = alternativesOf(pattern) ?? [pattern];
  return new RegExp(`^(?:${alternatives.map(sourceOf).join("|")})$`, "u");
}

/** The longest text that all names of a pattern hold; "" when there is none. */
export function longestLiteral(pattern: string): string {
  const [longest = ""] = pattern.split(/\{[^]*\}|[*?]|\[[^\]]+\]/)
    .toSorted((a, b) => b.length - a.length);
  return longest;
}

/** The patterns without braces that one stands for; null when they are too many. */
function alternativesOf(pattern: string): string[] | null {
  let all = [pattern];
  for (;;) {
    if (all.length > maxAlternatives || all.join("").length > maxLength) return null;
    if (!all.some((each) => braces.test(each))) return all;
    all = all.flatMap((each) => {
      const found = braces.exec(each);
      if (!found) return [each];
      const [before, after] = [
        each.slice(0, found.index),
        each.slice(found.index + found[0].length),
      ];
      return (found[1] ?? "").split(",").map((choice) => before + choice + after);
    });
  }
}

/** The expression for a part of a pattern without `*`. */
function partSource(part: string, fold: (text: string) => string): string {
  const pieces = part.matchAll(/\?|\[([!^]?)(\]?[^\]]+)\]|[^?[]+|\[/gu);
  return [...pieces].map(([piece, negation, set]) => {
    if (piece === "?") return "[^]";
    const source = set === undefined ? null : setSource(set, fold);
    return source === null ? escaped(fold(piece)) : `[${negation ? "^" : ""}${source}]`;
  }).join("");
}

/** The inside of a set; null for one that is out of order, such as `[z-a]`. */
function setSource(set: string, fold: (text: string) => string): string | null {
  const single = (character: string) => {
    const folded = fold(character);
    return [...folded].length === 1 ? folded : character;
  };
  let source = "";
  for (const [item, from, to] of set.matchAll(/([^])-([^])|[^]/gu)) {
    if (from === undefined || to === undefined) source += escaped(single(item));
    else {
      const [low, high] = [single(from), single(to)];
      if ((low.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0)) return null;
      source += `${escaped(low)}-${escaped(high)}`;
    }
  }
  return source;
}

function escaped(text: string): string {
  return text.replace(
    /[^\p{L}\p{N}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
