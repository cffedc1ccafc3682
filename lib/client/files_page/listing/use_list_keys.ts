import { useEffect, useLayoutEffect, useRef } from "react";
import { shortcutOf } from "../../base/core/keyboard.ts";
import { indexOf, unmarkText } from "../../base/files/page_dom.ts";
import type { RowWindow } from "./use_window.ts";
import { useShared } from "../../base/core/page.ts";
import type { ListModel } from "../selection/list_model.ts";

/** Matches the element of a row that takes the focus. */
const FOCUSABLE = ".row__name";

/**
 * Keyboard navigation of the listing, wherever on the page the focus is. The row at the cursor is
 * scrolled into view and focused as soon as it is rendered. When the focused element is removed (a
 * deleted row, an opened folder) a row takes the focus, so that it is not lost.
 *
 * @param list the window that the rows are drawn through
 * @param model stays the same
 */
export function useListKeys(list: RowWindow, model: ListModel): void {
  const { cursor, selection } = model;
  const lastFocus = useLastFocus();
  const wanted = useRef(-1);
  const latest = useRef(list);
  latest.current = list;

  // As soon as the rows are there: a key that is pressed then must not be lost.
  useLayoutEffect(() => {
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
        case "deleteForGood":
          if (selection.now.peek().size === 0) return false;
          model.remove(shortcut.does === "deleteForGood");
          return true;
        case "escape":
          selection.clear();
          selection.multiple.value = false;
          return true;
        case "open":
          if (cursor.index.peek() >= 0) model.openAt(cursor.index.peek());
          return true;
        case "toggle":
          if (cursor.index.peek() >= 0) selection.click(cursor.index.peek(), { toggle: true });
          return true;
        case "step":
          cursor.move(shortcut.step, shortcut.extend);
          goToCursor();
          return true;
        case "type":
          return model.type(shortcut.character, event.timeStamp, goToCursor);
        default:
          return false;
      }
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (act(event)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [model]);

  const isSelecting = selection.now.value.size > 0;
  useEffect(() => {
    // The bar of the selection comes over the last rows on a phone.
    if (isSelecting && cursor.index.peek() >= 0) list.uncover(cursor.index.peek());
  }, [isSelecting]);

  const rows = model.rows.value;
  useEffect(() => {
    const { last } = lastFocus;
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

/** The index of the row that an element belongs to and represents; else -1. */
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

/** The last focused element of the page itself, which may have been removed since. */
export interface LastFocus {
  last: Element | null;
}

/** The shared record of the last focus. */
function useLastFocus(): LastFocus {
  return useShared<LastFocus>("lastFocus", () => ({ last: null }));
}

/** Records the last focused element of the page, ignoring dialogs and popovers. */
export function useFollowedFocus(): void {
  const lastFocus = useLastFocus();
  useEffect(() => {
    const follow = (event: FocusEvent) => {
      const element = event.target as Element;
      if (!element.closest("dialog, [popover]")) lastFocus.last = element;
    };
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, [lastFocus]);
}
