import type { Child } from "../access/folder_visibility.ts";
import { typeOfName } from "../files/content/types.ts";
import type { Query } from "./query.ts";

/** A query prepared for matching many names. */
export interface NameTest {
  /** Whether a name matches all terms. */
  matches(name: string): boolean;
  /** Whether the entry's type can match: folders have no type. */
  typeMatches(child: Child): boolean;
}

/** Prepares a query. */
export function nameTestOf({ terms, isCaseSensitive, types }: Query): NameTest {
  const fold = isCaseSensitive ? (text: string) => text.normalize("NFC") : foldText;
  const wanted = terms.map(fold);
  const hasType = typeTestOf(types);
  return {
    matches(name) {
      const text = fold(name);
      return wanted.every((term) => text.includes(term)) && hasType(name);
    },
    typeMatches: ({ isFolder, target }) =>
      types.length === 0 || !isFolder && (target === null || target.kind === "inside"),
  };
}

function typeTestOf(types: string[]): (name: string) => boolean {
  if (types.length === 0) return () => true;
  const endings = types.filter((type) => type.startsWith(".")).map(foldText);
  const kinds = new Set<string | undefined>(types.filter((type) => !type.startsWith(".")));
  return (name) => {
    if (kinds.size > 0 && kinds.has(typeOfName(name))) return true;
    const text = endings.length > 0 ? foldText(name) : "";
    return endings.some((ending) => text.length > ending.length && text.endsWith(ending));
  };
}

// deno-lint-ignore no-control-regex -- the first of the ASCII characters is a control character.
const ascii = /^[\x00-\x7f]*$/;

/**
 * Folds texts that people take for equal in a search into one: either case, in all scripts
 * ("STRASSE" and "straße", "ΟΔΟΣ" and "οδος", "İ" and "ı" and "i"), and composed or decomposed
 * characters.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // Via upper case, which splits "ß" and has only one sigma; "ẞ" becomes "ß" first. A dot left over
  // from "İ" would keep it from matching "i".
  return text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase()
    .replaceAll("i\u0307", "i").replaceAll("ς", "σ").normalize("NFC");
}
