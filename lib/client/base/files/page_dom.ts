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
