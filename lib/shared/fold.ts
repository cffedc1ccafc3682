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

/**
 * The case-folded, composed form of a name, equal for names that a case-folding file system takes
 * for the same.
 */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
