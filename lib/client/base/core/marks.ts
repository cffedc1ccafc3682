/** Control characters that have no effect in a text that is shown; each has a sign in Unicode. */
// deno-lint-ignore no-control-regex
const UNSEEN = /\0+|[\x01-\x08\x0e-\x1f\x7f]/g;

/** Longer runs of NUL are counted: a log that was cut while it was written begins with millions. */
const LONGEST_RUN = 8;

/** A text in which control characters are seen: "␀" for NUL, "␛" for escape. */
export function withMarks(text: string): string {
  return text.replace(UNSEEN, (found) => {
    if (found.length > LONGEST_RUN) return `\u2400\u00d7${found.length}`;
    return found === "\x7f" ? "\u2421" : signOf(found.charCodeAt(0)).repeat(found.length);
  });
}

function signOf(code: number): string {
  return String.fromCharCode(0x2400 + code);
}
