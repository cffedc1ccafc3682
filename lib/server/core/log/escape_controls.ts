/**
 * Prevents log forging: a line break, a terminal's escape sequence or a bidi control in a name
 * becomes `\u000a`, so that untrusted text cannot pass for a log line.
 */
export function escapeControls(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
