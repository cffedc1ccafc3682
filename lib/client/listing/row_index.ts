/** The index of the entry whose row an event hit; -1 for none. */
export function indexOf(target: EventTarget | null): number {
  if (!(target instanceof Element)) return -1;
  return Number(target.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1);
}
