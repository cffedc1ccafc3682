import { type RefObject, useEffect, useRef } from "react";

/** The rows of a list that is edited, and the focus, which stays with what was changed. */
export interface Rows<Row> {
  /** Of the element around the list: rows have `data-row`, buttons `data-move` and `data-add`. */
  box: RefObject<HTMLDivElement>;
  /** @param focus of an element in the row, which takes the focus: a selector */
  set(index: number, row: Row, focus?: string): void;
  /** Swaps a row with its neighbour. */
  move(index: number, by: -1 | 1): void;
  remove(index: number): void;
  add(row: Row): void;
}

/** Edits the rows of a list. */
export function useRows<Row>(
  rows: readonly Row[],
  onChange: (rows: Row[]) => void,
): Rows<Row> {
  const box = useRef<HTMLDivElement>(null);
  // The selector of the element that takes the focus after the next render.
  const next = useRef<string | null>(null);
  useEffect(() => {
    if (next.current === null) return;
    const target = box.current?.querySelector<HTMLElement>(next.current);
    // After an earlier render, whose effects come late, the new row is not there yet.
    if (!target) return;
    target.focus();
    next.current = null;
  });
  const change = (changed: Row[], focus: string) => {
    next.current = focus;
    onChange(changed);
  };
  return {
    box,
    set(index, row, focus) {
      if (focus !== undefined) next.current = `[data-row="${index}"] ${focus}`;
      onChange(rows.map((each, at) => at === index ? row : each));
    },
    move(index, by) {
      const to = index + by;
      const isAtEnd = by < 0 ? to === 0 : to === rows.length - 1;
      change(moved(rows, index, by), `[data-row="${to}"] [data-move="${isAtEnd ? -by : by}"]`);
    },
    remove: (index) => change(rows.filter((_, at) => at !== index), "[data-add]"),
    add: (row) => change([...rows, row], `[data-row="${rows.length}"] .field__input`),
  };
}

/** The list with two neighbours swapped; unchanged at its ends. */
export function moved<Row>(rows: readonly Row[], index: number, by: -1 | 1): Row[] {
  const next = [...rows];
  const [one, other] = [next[index], next[index + by]];
  if (one === undefined || other === undefined) return next;
  next[index] = other;
  next[index + by] = one;
  return next;
}
