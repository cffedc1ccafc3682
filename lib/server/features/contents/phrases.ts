import { foldCase } from "../../../shared/fold.ts";
import { wordsOf } from "./words.ts";

/** Words that must stand in a text one after the other. */
export interface Phrase {
  /** At least one, folded. */
  words: string[];
  /** Whether the last one may go on: `inv*`. */
  isOpen: boolean;
  /** As it was typed, see {@linkcode spelled}. */
  typed: string;
}

/** A text with its accents, in lower case, its words with a space between. */
export function spelled(text: string): string {
  return foldCase(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim();
}

/** More phrases are not looked for; SQLite refuses expressions beyond some hundreds. */
const maxPhrases = 32;

/** The shortest beginning that finds words, in UTF-16 units: a shorter one would find most texts. */
const minPrefixLength = 2;

/**
 * Reads the terms of a query: `budget`, `annual report` (a phrase), `inv*` (words that begin so). A
 * term without letters and digits finds nothing and is left out.
 */
export function phrasesOf(terms: readonly string[]): Phrase[] {
  const phrases = new Map<string, Phrase>();
  for (const term of terms) {
    const words = wordsOf(term);
    const last = words.at(-1);
    if (last === undefined) continue;
    const isOpen = term.endsWith("*") && last.length >= minPrefixLength;
    const phrase = { words, isOpen, typed: spelled(term) };
    if (phrases.size < maxPhrases) phrases.set(expressionOf(phrase), phrase);
  }
  return [...phrases.values()];
}

/**
 * A phrase in the query language of FTS5. Words hold letters, digits and their marks alone, so that
 * nothing in them is syntax; and it reaches SQLite as a bound value.
 */
export function expressionOf({ words, isOpen }: Phrase): string {
  return `"${words.join(" ")}"${isOpen ? " *" : ""}`;
}

/** The expression that finds texts with all phrases. */
export function expressionOfAll(phrases: readonly Phrase[]): string {
  return phrases.map(expressionOf).join(" AND ");
}
