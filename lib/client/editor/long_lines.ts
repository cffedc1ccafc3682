import type { Text } from "@codemirror/state";

/** Longer lines take a browser many seconds to wrap. */
const TOO_LONG = 500_000;

/** Whether the lines of a text are short enough to be wrapped. */
export function canWrap(text: Text): boolean {
  if (text.length <= TOO_LONG) return true;
  for (const line of text.iterLines()) {
    if (line.length > TOO_LONG) return false;
  }
  return true;
}
