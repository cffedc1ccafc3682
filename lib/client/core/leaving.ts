/** Listens to `beforeunload`: has the browser ask before it leaves the page, in words of its own. */
export function warnBeforeLeaving(event: Event): void {
  event.preventDefault();
}
