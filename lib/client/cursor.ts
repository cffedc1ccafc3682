import type { ReadonlySignal } from "@preact/signals";

/** A press of a key that moves through the listing. */
export type Step = "up" | "down" | "left" | "right" | "home" | "end" | "pageUp" | "pageDown";

/** Which entry the keyboard is at. */
export declare class Cursor {
  /** The index of the entry; -1 for none. */
  readonly index: ReadonlySignal<number>;
  /** How many entries lie side by side, and how many a page holds: told by the list as it is drawn. */
  layout(columns: number, page: number): void;
  /** Moves, and selects what it comes to; `extend` (Shift) selects all on the way. */
  move(step: Step, extend?: boolean): void;
  /** Goes to an entry without selecting it. */
  put(index: number): void;
  /** Goes to the next loaded entry whose name starts with what was typed within one second. */
  type(character: string): boolean;
}
