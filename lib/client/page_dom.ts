/** The index of the entry whose row an event hit; -1 for none. */
export function indexOf(target: EventTarget | null): number {
  if (!(target instanceof Element)) return -1;
  return Number(target.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1);
}

/**
 * Lets go of text that is marked on the page: who turns to entries means those when he copies. A
 * press on rows, which can't be marked, does not do it by itself.
 */
export function unmarkText(): void {
  document.getSelection()?.empty();
}
