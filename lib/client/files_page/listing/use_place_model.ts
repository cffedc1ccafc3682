import { type Signal, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { shortcutOf } from "../../base/core/keyboard.ts";
import { unmarkText } from "../../base/files/page_dom.ts";
import { Rows } from "../../base/files/rows.ts";
import type { ListModel } from "../selection/list_model.ts";
import { Cursor, Selection } from "../selection/selection.ts";
import type { PlaceItem } from "./place_rows.ts";

/** The time within which further letters belong to the same name, in milliseconds. */
const TYPING_MS = 1000;

/** The selection and the cursor of a list. */
export function usePlaceModel(
  rows: readonly PlaceItem[],
  hrefOf: (index: number) => string | undefined,
  remove: () => void,
): ListModel {
  const latest = useRef({ rows, hrefOf, remove });
  latest.current = { rows, hrefOf, remove };
  const model = useMemo(() => {
    const present: Signal<Rows> = signal(tableOf(latest.current.rows));
    const selection = new Selection(present);
    const cursor = new Cursor(present, selection);
    let typed = { text: "", at: -Infinity };
    const list: ListModel = {
      ...{ rows: present, selection, cursor },
      openAt(index) {
        const href = latest.current.hrefOf(index);
        if (href) location.assign(href);
      },
      remove: () => latest.current.remove(),
      type(character, at, goToCursor) {
        const text = at - typed.at < TYPING_MS ? typed.text + character : character;
        typed = { text, at };
        const { rows } = latest.current;
        const from = Math.max(0, cursor.index.peek()) + (text.length === 1 ? 1 : 0);
        const order = [...rows.keys()].map((step) => (from + step) % rows.length);
        const found = order.find((index) =>
          rows[index]?.entry.name.toLowerCase().startsWith(text.toLowerCase())
        );
        if (found === undefined) return false;
        cursor.put(found);
        selection.only(found);
        goToCursor();
        return true;
      },
    };
    return { list, present };
  }, []);
  useLayoutEffect(() => {
    model.present.value = tableOf(rows);
    model.list.selection.follow({ sameEntries: false, sameOrder: false });
    model.list.cursor.put(model.list.cursor.index.peek());
  }, [rows.map(({ id }) => id).join("\n")]);
  return model.list;
}

/** Rows whose selection goes by their ids: names occur in many folders. */
function tableOf(rows: readonly PlaceItem[]): Rows {
  const entries = rows.map(({ id, entry }): Entry => ({
    ...{ size: 0, mode: 0, modified: "" },
    ...entry,
    name: id,
  }));
  return new Rows(entries.length).with(0, entries);
}

/** Ctrl+A selects all rows, and never the text of the page. */
export function useSelectAll(selection: Selection): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector("dialog:modal")) return;
      if (shortcutOf(event)?.does !== "selectAll") return;
      event.preventDefault();
      unmarkText();
      selection.all();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [selection]);
}
