/** A row of the list of a shared folder: the server has drawn it, or the script of the page. */
export interface SharedRowEntry {
  name: string;
  isDir: boolean;
}

/** All rows of the list. */
export function sharedRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".shared__item")];
}

/** The entry of a row. */
export function entryOfRow(row: HTMLElement): SharedRowEntry {
  const tick = row.querySelector<HTMLInputElement>(".tick");
  return { name: decodeURIComponent(tick?.value ?? ""), isDir: row.dataset.kind === "folder" };
}

/** The ticked entries. */
export function tickedEntries(): SharedRowEntry[] {
  return sharedRows().filter((row) => row.querySelector(".tick:checked")).map(entryOfRow);
}

/** Downloads the ticked entries as an archive: the form of the list has them. */
export function downloadTicked(format: string): void {
  const form = document.querySelector<HTMLFormElement>("form.shared__list");
  const field = form?.querySelector<HTMLSelectElement>("select[name=algo]");
  if (field) field.value = format;
  form?.requestSubmit();
}

/** The name that gets the focus when entries are gone: the next one, or else the last before. */
export function nameAfter(gone: ReadonlySet<string>): string | undefined {
  const names = sharedRows().map((row) => entryOfRow(row).name);
  const last = names.findLastIndex((name) => gone.has(name));
  const isLeft = (name: string) => !gone.has(name);
  return names.slice(last + 1).find(isLeft) ?? names.slice(0, last + 1).findLast(isLeft);
}

/** Puts the focus on the row of an entry. */
export function focusRow(name: string): void {
  const row = sharedRows().find((each) => entryOfRow(each).name === name);
  row?.querySelector<HTMLElement>(".shared__link")?.focus();
}
