// deno-lint-ignore no-control-regex -- the first of the ASCII characters is a control character.
const ascii = /^[\x00-\x7f]*$/;

/**
 * One text for all that people take for the same in a search: letters of either case, in all
 * scripts ("STRASSE" and "straße", "ΟΔΟΣ" and "οδος", "İ" and "ı" and "i"), and characters that are
 * composed in one way or another.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // By way of the upper case, which takes "ß" apart and knows one sigma only; "ẞ" becomes "ß" before
  // that. A dot that is left over from "İ" would keep it from being an "i".
  return text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase()
    .replaceAll("i\u0307", "i").replaceAll("ς", "σ").normalize("NFC");
}
