import { useEffect, useRef } from "react";
import { shortcutOf } from "../core/keyboard.ts";
import { indexOf } from "./row_index.ts";
import { unmarkText } from "../selection/unmark_text.ts";
import { useAttention } from "../ui/use_attention.ts";
import { useFiles } from "../navigation/use_files.ts";
import type { RowWindow } from "./use_window.ts";

/** Matches the element of a row that takes the focus. */
const FOCUSABLE = ".row__name";

/**
 * Lets the keyboard work the listing, wherever on the page the focus is. The row that the keys come
 * to is scrolled into view and takes the focus, as soon as it is drawn. When what had the focus goes
 * (a row that was deleted, or whose folder was opened) a row takes it, so that it is not lost.
 *
 * @param list the window that the rows are drawn through
 */
export function useListKeys(list: RowWindow): void {
  const { listing, actions } = useFiles();
  const { cursor, selection } = listing;
  const attention = useAttention();
  const wanted = useRef(-1);
  const latest = useRef(list);
  latest.current = list;

  useEffect(() => {
    const goToCursor = () => {
      unmarkText();
      wanted.current = cursor.index.peek();
      if (wanted.current >= 0) latest.current.reveal(wanted.current);
      focusWanted(latest.current, wanted);
    };
    const act = (event: KeyboardEvent): boolean => {
      if (event.defaultPrevented || document.querySelector("dialog:modal, :popover-open")) {
        return false;
      }
      const row = rowOf(event.target);
      if (row >= 0 && event.key === " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
        selection.click(row, { toggle: true, range: event.shiftKey });
        return true;
      }
      const shortcut = shortcutOf(event);
      switch (shortcut?.does) {
        case "delete":
          if (selection.now.peek().size === 0) return false;
          void actions.deleteSelection();
          return true;
        case "escape":
          selection.clear();
          selection.multiple.value = false;
          return true;
        case "open":
          if (cursor.index.peek() >= 0) actions.openAt(cursor.index.peek());
          return true;
        case "toggle":
          if (cursor.index.peek() >= 0) selection.click(cursor.index.peek(), { toggle: true });
          return true;
        case "step":
          cursor.move(shortcut.step, shortcut.extend);
          goToCursor();
          return true;
        case "type":
          if (cursor.type(shortcut.character)) goToCursor();
          return false;
        default:
          return false;
      }
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (act(event)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [listing]);

  const rows = listing.rows.value;
  useEffect(() => {
    const { last } = attention;
    if (last === null || document.activeElement !== document.body) return;
    if (!last.isConnected || last.matches(FOCUSABLE)) {
      wanted.current = Math.max(0, cursor.index.peek());
    }
  }, [rows]);
  const calls = cursor.calls.value;
  useEffect(() => {
    if (calls === 0) return;
    cursor.answerCalls();
    wanted.current = cursor.index.peek();
    list.centre(wanted.current);
  }, [calls]);
  useEffect(() => focusWanted(list, wanted));
}

/** The index of the row that an element belongs to, and that its focus stands for; else -1. */
function rowOf(target: EventTarget | null): number {
  return target instanceof Element && target.matches(FOCUSABLE) ? indexOf(target) : -1;
}

function focusWanted({ rows }: RowWindow, wanted: { current: number }): void {
  if (wanted.current < 0) return;
  const row = rows.current?.querySelector(`[data-index="${wanted.current}"]`);
  const link = row?.querySelector<HTMLElement>(FOCUSABLE);
  if (!link) return;
  wanted.current = -1;
  link.focus({ preventScroll: true });
}
