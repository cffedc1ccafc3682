/**
 * Copies a text to the system clipboard. The Clipboard API needs https; on plain http
 * `execCommand("copy")` is used.
 *
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
  if (globalThis.navigator?.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  // Behind a modal dialog no text can be selected.
  const place = document.querySelector("dialog[open]") ?? document.body;
  place.append(field);
  const focused = document.activeElement as HTMLElement | null;
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return copied;
}

/**
 * Copies an error report: the message, the address, the time, the version and the browser. Without
 * the query of the address, as it may hold a ticket.
 *
 * @returns whether it is on the clipboard
 */
export function copyReport(text: string, version: string): Promise<boolean> {
  const { origin, pathname } = location;
  const lines = [text, origin + pathname, new Date().toISOString(), `Cubby ${version}`.trim()];
  return copyText([...lines, navigator.userAgent].join("\n"));
}
