/** The index of the entry whose row an event hit; -1 for none. */
export function indexOf(target: EventTarget | null): number {
  if (!(target instanceof Element)) return -1;
  return Number(target.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1);
}

/**
 * Clears the text selection, so that Ctrl+C copies the selected entries. Rows are `user-select:
 * none`, so clicking one does not clear it.
 */
export function unmarkText(): void {
  document.getSelection()?.empty();
}

/** The windows in which there is room for the details at the side. */
export const WIDE = "(width > 61.25em)";

/** The key in the browser's storage that keeps the details open. */
export const DETAILS_KEY = "details";

/** Whether details are shown at the side now: there is room, and no dialog covers the page. */
export function isBeside(): boolean {
  const isWide = globalThis.matchMedia?.(WIDE).matches === true;
  return isWide && !document.querySelector("dialog:modal");
}

/** Moves the focus from the details back to where it was, or to the listing or file beside them. */
export function focusBeside(before: Element | null): void {
  const candidates = [before, ...["[data-index] [tabindex='0']", ".viewer", "#content"]];
  for (const candidate of candidates) {
    const element = typeof candidate === "string"
      ? document.querySelector<HTMLElement>(candidate)
      : candidate as HTMLElement | null;
    if (!element?.isConnected) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/** Lets the user choose files, or a whole folder, to upload into the open folder. */
export function chooseFiles(what: "files" | "folder" = "files"): void {
  document.querySelector<HTMLInputElement>(`[data-chooses=${what}]`)?.click();
}
