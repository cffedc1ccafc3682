/**
 * Lets go of text that is marked on the page: who turns to entries means those when he copies. A
 * press on rows, which can't be marked, does not do it by itself.
 */
export function unmarkText(): void {
  document.getSelection()?.empty();
}
