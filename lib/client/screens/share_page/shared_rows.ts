import { useEffect, useRef } from "react";
import { shortcutOf } from "../../base/core/keyboard.ts";
import { below } from "../../files_page/menu/row_menu.ts";

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
function tickedEntries(): SharedRowEntry[] {
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

/** The actions on entries of the list. */
export type RowAction = "rename" | "move" | "delete";

/** The handlers of what happens in the list of a shared folder. */
interface RowEvents {
  onAction: (action: RowAction, entries: readonly SharedRowEntry[]) => void;
  /** Opens the menu of entries at a point of the window, in CSS pixels. */
  onMenu: (entries: readonly SharedRowEntry[], at: { x: number; y: number }) => void;
}

/**
 * Listens to the list, whose rows no island draws: the page works without scripts, and its own
 * script adds rows.
 */
export function useRowEvents(events: RowEvents): void {
  const now = useRef(events);
  now.current = events;
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const list = document.querySelector<HTMLElement>(".shared__list");
    list?.toggleAttribute("data-editing", true);
    list?.addEventListener("click", (event) => {
      const button = closest(event.target, "[data-edit]");
      const does = button?.dataset.edit;
      if (!button || !does) return;
      const row = closest(button, ".shared__item");
      if (does === "menu" && row) now.current.onMenu([entryOfRow(row)], below(button));
      else if (does === "more") now.current.onMenu(tickedEntries(), below(button));
      else if (does !== "menu") now.current.onAction(does as RowAction, tickedEntries());
    }, { signal });
    list?.addEventListener("contextmenu", (event) => {
      const row = closest(event.target, ".shared__item");
      if (!row) return;
      event.preventDefault();
      // The key of menus has no point.
      const isByKey = event.clientX === 0 && event.clientY === 0;
      const at = isByKey ? below(row) : { x: event.clientX, y: event.clientY };
      now.current.onMenu(entriesAt(row), at);
    }, { signal });
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || document.querySelector("dialog[open], :popover-open")) return;
      const does = shortcutOf(event)?.does;
      if (does !== "rename" && does !== "delete") return;
      const entries = entriesAt(closest(event.target, ".shared__item"));
      if (entries.length === 0 || (does === "rename" && entries.length > 1)) return;
      event.preventDefault();
      now.current.onAction(does, entries);
    }, { signal });
    return () => leaving.abort();
  }, []);
}

/** The ticked entries, if the row is one of them, or none is meant; else that of the row. */
function entriesAt(row: HTMLElement | null): readonly SharedRowEntry[] {
  if (!row || row.querySelector(".tick:checked")) return tickedEntries();
  return [entryOfRow(row)];
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}
