import { type ReadonlySignal, signal } from "@preact/signals";
import type { Step } from "../../base/core/keyboard.ts";
import type { Rows } from "../../base/files/rows.ts";
import { besideLine } from "../../base/files/virtual.ts";
import type { Selection } from "./selection.ts";

/** The layout of a rendered list. */
export interface CursorLayout {
  /** Columns of the grid. */
  columns: number;
  /** Entries that Page Up and Page Down skip. */
  page: number;
  /** Right-to-left, so that the left key goes forward. */
  mirrored?: boolean;
  /** The first index of each group; a group begins a line. */
  groups?: readonly number[] | undefined;
}

/** The position of the keyboard in the listing. */
export class Cursor {
  readonly #index = signal(-1);
  readonly #calls = signal(0);
  readonly #rows: ReadonlySignal<Rows>;
  readonly #selection: Selection;
  #layout: CursorLayout = { columns: 1, page: 20 };

  /** The index of the entry; -1 for none. */
  readonly index: ReadonlySignal<number> = this.#index;
  /** The number of pending requests to bring the row into view. */
  readonly calls: ReadonlySignal<number> = this.#calls;

  /** @param rows the rows it moves through @param selection follows the cursor */
  constructor(rows: ReadonlySignal<Rows>, selection: Selection) {
    this.#rows = rows;
    this.#selection = selection;
  }

  /** Reports the layout of the rendered list. */
  layout(layout: CursorLayout): void {
    this.#layout = layout;
  }

  /** Moves the cursor and selects the entry; `extend` (Shift) selects the range. */
  move(step: Step, extend = false): void {
    const { total } = this.#rows.peek();
    if (total === 0) return;
    const target = Math.min(total - 1, Math.max(0, this.#target(step, total)));
    this.#index.value = target;
    if (extend) this.#selection.extendTo(target);
    else this.#selection.only(target);
  }

  /** Moves to an entry without selecting it; -1 for none. */
  put(index: number): void {
    this.#index.value = Math.min(index, this.#rows.peek().total - 1);
  }

  /** Moves to an entry, and requests that its row be scrolled into view and focused. */
  call(index: number): void {
    this.put(index);
    this.#calls.value++;
  }

  /** Marks the pending requests as handled. */
  answerCalls(): void {
    this.#calls.value = 0;
  }

  #target(step: Step, total: number): number {
    const { columns, page, mirrored, groups } = this.#layout;
    const at = this.#index.peek();
    if (step === "home") return 0;
    if (step === "end") return total - 1;
    if (at === -1) return step === "up" || step === "pageUp" ? total - 1 : 0;
    if (groups && (step === "up" || step === "down")) {
      return besideLine({ total, columns, rowHeight: 1, groups }, at, step === "up" ? -1 : 1);
    }
    const aside = mirrored ? -1 : 1;
    const by = {
      up: -columns,
      down: columns,
      left: -aside,
      right: aside,
      pageUp: -page,
      pageDown: page,
    };
    const target = at + by[step];
    // In a mosaic, up from the first line and down from the last stay where they are; the last
    // line may be shorter than the one above it.
    const onLastLine = Math.floor(at / columns) === Math.floor((total - 1) / columns);
    if (step === "up" && target < 0) return at;
    return step === "down" && onLastLine ? at : target;
  }
}
