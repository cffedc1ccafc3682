import type { ReadonlySignal } from "@preact/signals";
import type { Rows } from "../../base/files/rows.ts";
import type { Cursor, Selection } from "./selection.ts";

/** The rows of a list, as the pointer and the keyboard work on them. */
export interface ListModel {
  readonly rows: ReadonlySignal<Rows>;
  readonly selection: Selection;
  readonly cursor: Cursor;
  /** Opens the entry of a row. */
  openAt(index: number): void;
  /** Deletes what is selected. */
  remove(forGood: boolean): void;
  /**
   * Takes a typed character.
   *
   * @param at when it was typed, in milliseconds
   * @param goToCursor shows the row at the cursor, with the focus
   * @returns whether the browser is to do nothing about it
   */
  type(character: string, at: number, goToCursor: () => void): boolean;
}
