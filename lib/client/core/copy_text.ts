/**
 * Puts a text on the system's clipboard. Browsers offer that under https alone; on plain http an
 * older way does, which copies what is selected.
 *
 * @returns whether it is there
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
  // Behind a modal dialog nothing can be selected.
  const place = document.querySelector("dialog[open]") ?? document.body;
  place.append(field);
  const focused = document.activeElement as HTMLElement | null;
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return copied;
}
