import { type Query, type SearchPart, wholePart } from "../../files/search/query.ts";
import { isOpenWord } from "../../../shared/glob.ts";
import { type Phrase, phrasesOf } from "./phrases.ts";

/** A search in contents. Plain data that can be posted to a Worker. */
export interface Question extends SearchPart {
  /** The phrases that the text must have; none finds nothing. */
  phrases: Phrase[];
  /** The conditions on type, size and time; and the terms of names. */
  query: Query;
  /** Whether names must have these terms; or must not, as such files were found by name. */
  names: "with_terms" | "without_terms";
  /** Whether results have their size and modification time. */
  details: boolean;
}

/**
 * The search in contents that a query asks for: that of its `content:` terms, or else, where
 * contents are asked for besides names, that of its words.
 *
 * @param isWanted whether contents are asked for besides names
 * @returns null when it asks for names alone
 */
export function questionOf(query: Query, isWanted: boolean, details: boolean): Question | null {
  const { content } = query;
  if (content.length > 0) {
    return { phrases: phrasesOf(content), query, names: "with_terms", details, ...wholePart };
  }
  // Patterns are about names alone, but for words that may go on.
  const open = query.patterns.filter(isOpenWord);
  const terms = [...query.terms, ...open];
  if (!isWanted || terms.length === 0) return null;
  return {
    phrases: phrasesOf(terms),
    query: {
      ...query,
      // Names are searched for parts anyway.
      terms: [...query.terms, ...open.map((word) => word.replace(/\*+$/, ""))],
      patterns: query.patterns.filter((pattern) => !isOpenWord(pattern)),
    },
    names: "without_terms",
    details,
    ...wholePart,
  };
}
