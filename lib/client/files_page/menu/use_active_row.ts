import type { Signal } from "@preact/signals";
import { type RefObject, useEffect, useState } from "react";
import type { MenuRequest } from "./row_menu.ts";

/**
 * The row under the mouse, or else the one with the keyboard's focus: the one with quick actions.
 *
 * @param menu the row that has opened it stays the one until it is closed
 */
export function useActiveRow(
  scroller: RefObject<HTMLElement>,
  menu: Pick<Signal<MenuRequest | null>, "peek">,
): HTMLElement | null {
  const [row, setRow] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const focused = () => rowOf(box.querySelector(":focus-visible"));
    const put = (next: HTMLElement | null) => {
      // Buttons that the keyboard is on stay, and those whose menu is open.
      const isHeld = box.querySelector(".row__acts :focus-visible") !== null ||
        menu.peek()?.row !== undefined;
      if (!isHeld) setRow(next ?? focused());
    };
    box.addEventListener("pointerover", ({ target, pointerType, buttons }) => {
      if (pointerType === "mouse" && buttons === 0) put(rowOf(target));
    }, { signal });
    box.addEventListener("pointerleave", () => put(null), { signal });
    box.addEventListener("focusin", ({ target }) => {
      if ((target as Element).matches(".row__name:focus-visible")) put(rowOf(target));
    }, { signal });
    box.addEventListener("focusout", ({ relatedTarget }) => {
      if (!box.contains(relatedTarget as Node | null)) put(rowOf(box.querySelector(".row:hover")));
    }, { signal });
    setRow(rowOf(box.querySelector(".row:hover")) ?? focused());
    return () => leaving.abort();
  }, [scroller.current]);
  return row;
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".row[data-index]") : null;
}
