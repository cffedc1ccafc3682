import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import {
  addSpan,
  inSpans,
  removeSpan,
  type Rows,
  sizeOfSpans,
  type Span,
} from "../../base/files/rows.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { failure, type Result, success } from "../../../shared/result.ts";
import type { Step } from "../../base/core/keyboard.ts";
import { besideLine, type Lines } from "../../base/files/row_window.ts";

/** A snapshot of the selection. */
interface Selected {
  /** The number of entries, including those not loaded. */
  readonly size: number;
  /** Whether the entry at an index is selected. */
  has(index: number): boolean;
}

/** The modifier keys of a click. */
interface Modifiers {
  /** Ctrl, or Command on a Mac: toggles one entry. */
  toggle?: boolean;
  /** Shift: from the anchor to this one. */
  range?: boolean;
}

/** A saved selection: loaded entries by name, others by index. */
interface SavedSelection {
  readonly names: ReadonlySet<string>;
  readonly unloaded: readonly Span[];
}

/**
 * The selected entries of the listing. Loaded ones are stored by name, so that they stay selected
 * when rows move; others by their index, until they are loaded.
 */
export class Selection {
  /** While on, a plain click toggles, as on touch screens. */
  readonly multiple: Signal<boolean> = signal(false);
  /** The current selection. */
  readonly now: ReadonlySignal<Selected>;

  readonly #rows: ReadonlySignal<Rows>;
  readonly #changes = signal(0);
  #names = new Set<string>();
  #unloaded: Span[] = [];
  /** The anchor of a range selection. */
  #anchor: number | null = null;

  /** @param rows the rows that indexes refer to */
  constructor(rows: ReadonlySignal<Rows>) {
    this.#rows = rows;
    this.now = computed(() => {
      void this.#changes.value;
      const present = rows.value;
      return {
        size: this.#names.size + sizeOfSpans(this.#unloaded),
        has: (index) => this.#has(present, index),
      };
    });
  }

  /** Selects like a click on an entry. */
  click(index: number, modifiers: Modifiers = {}): void {
    if (modifiers.range) return this.range(this.#anchor ?? 0, index, modifiers.toggle);
    if (modifiers.toggle || this.multiple.peek()) return this.toggle(index);
    this.only(index);
  }

  /** Selects one entry alone. */
  only(index: number): void {
    this.#forgetAll();
    this.#put({ from: index, to: index + 1 });
    this.#anchor = index;
    this.#changed();
  }

  /** Toggles an entry. */
  toggle(index: number): void {
    const selected = this.#has(this.#rows.peek(), index);
    const span = { from: index, to: index + 1 };
    if (selected) this.#take(span);
    else this.#put(span);
    this.#anchor = index;
    this.#changed();
  }

  /** Selects all entries from one to another, both included, in either direction. */
  range(anchor: number, index: number, keepOthers = false): void {
    if (!keepOthers) this.#forgetAll();
    this.#put({ from: Math.min(anchor, index), to: Math.max(anchor, index) + 1 });
    this.#anchor = anchor;
    this.#changed();
  }

  /** Selects from the anchor to this one: Shift with an arrow key. */
  extendTo(index: number): void {
    this.range(this.#anchor ?? index, index);
  }

  /** Selects every entry of the folder. */
  all(): void {
    this.range(0, this.#rows.peek().total - 1);
    this.#anchor = null;
  }

  /** Clears the selection. */
  clear(): void {
    this.#forgetAll();
    this.#anchor = null;
    this.#changed();
  }

  /** Selects exactly the named entries, loaded or not. */
  selectNames(names: Iterable<string>): void {
    this.#names = new Set(names);
    this.#unloaded = [];
    this.#anchor = null;
    this.#changed();
  }

  /** A copy of the selection, for {@linkcode selectSpans}. */
  saved(): SavedSelection {
    return { names: new Set(this.#names), unloaded: [...this.#unloaded] };
  }

  /** Selects the entries of some spans, besides those of a snapshot, and no others. */
  selectSpans(spans: readonly Span[], kept?: SavedSelection): void {
    this.#names = new Set(kept?.names);
    this.#unloaded = [...kept?.unloaded ?? []];
    for (const span of spans) this.#put(span);
    this.#anchor = spans[0]?.from ?? null;
    this.#changed();
  }

  /** The known names of the selected entries, and the spans of the others. */
  snapshot(): { names: string[]; unloaded: readonly Span[] } {
    return { names: [...this.#names], unloaded: this.#unloaded };
  }

  /** Replaces indexes by names where rows have been loaded; call it after each window. */
  materialize(): void {
    if (this.#unloaded.length === 0) return;
    const spans = this.#unloaded;
    this.#unloaded = [];
    for (const span of spans) this.#put(span);
    this.#changed();
  }

  /**
   * Adjusts the selection to reloaded rows.
   *
   * @param how.sameEntries no entry was added or removed, so "all" still means all
   * @param how.sameOrder indexes mean the same entries
   */
  follow(how: { sameEntries: boolean; sameOrder: boolean }): void {
    const { total, loaded } = this.#rows.peek();
    const all = this.#names.size + sizeOfSpans(this.#unloaded) === total;
    if (!how.sameEntries || !(how.sameOrder || all)) this.#unloaded = [];
    else if (all) {
      this.#forgetAll();
      this.#put({ from: 0, to: total });
    }
    if (loaded === total) this.#dropVanished();
    this.#anchor = null;
    this.materialize();
    this.#changed();
  }

  #dropVanished(): void {
    const present = new Set<string>();
    for (const [, { name }] of this.#rows.peek().entries()) present.add(name);
    for (const name of this.#names) if (!present.has(name)) this.#names.delete(name);
  }

  #has(rows: Rows, index: number): boolean {
    const entry = rows.at(index);
    return entry ? this.#names.has(entry.name) : inSpans(this.#unloaded, index);
  }

  #put(span: Span): void {
    const rows = this.#rows.peek();
    const within = { from: Math.max(0, span.from), to: Math.min(rows.total, span.to) };
    for (const { from, to } of rows.missing(within)) {
      const clipped = { from: Math.max(from, within.from), to: Math.min(to, within.to) };
      this.#unloaded = addSpan(this.#unloaded, clipped);
    }
    for (const [, entry] of rows.entries(within)) this.#names.add(entry.name);
  }

  #take(span: Span): void {
    this.#unloaded = removeSpan(this.#unloaded, span);
    for (const [, entry] of this.#rows.peek().entries(span)) this.#names.delete(entry.name);
  }

  #forgetAll(): void {
    this.#names = new Set();
    this.#unloaded = [];
  }

  #changed(): void {
    this.#changes.value++;
  }
}

/** The number of rows per request when only their names are needed. */
const NAMES_AT_ONCE = 1000;

/**
 * Reads the names of all selected entries. Fails with `folder_changed` when the folder has changed
 * since, as the indexes then mean other entries.
 *
 * @param parts the names of the loaded ones, and the spans of the others
 * @param read reads rows of the folder, in the former order
 * @param isSame whether an answer has the folder's former state
 */
export async function readSelectedNames(
  parts: ReturnType<Selection["snapshot"]>,
  read: (span: Span) => Promise<Result<Resource>>,
  isSame: (answer: Resource) => boolean,
): Promise<Result<string[]>> {
  const names = [...parts.names];
  for (const span of parts.unloaded) {
    for (let from = span.from; from < span.to; from += NAMES_AT_ONCE) {
      const answer = await read({ from, to: Math.min(span.to, from + NAMES_AT_ONCE) });
      if (!answer.ok) return answer;
      if (!isSame(answer.value)) {
        return failure(0, "folder_changed", "The folder has changed meanwhile");
      }
      names.push(...(answer.value.items ?? []).map(({ name }) => name));
    }
  }
  return success(names);
}

/** The layout of a rendered list. */
interface CursorLayout {
  /** Columns of the grid. */
  columns: number;
  /** Entries that Page Up and Page Down skip. */
  page: number;
  /** Right-to-left, so that the left key goes forward. */
  mirrored?: boolean;
  /** The first index of each group; a group begins a line. */
  groups?: readonly number[] | undefined;
  /** Where entries have sizes of their own. */
  lines?: Lines | undefined;
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
    const { columns, page, mirrored, groups, lines } = this.#layout;
    const at = this.#index.peek();
    if (step === "home") return 0;
    if (step === "end") return total - 1;
    if (at === -1) return step === "up" || step === "pageUp" ? total - 1 : 0;
    if ((groups || lines) && (step === "up" || step === "down")) {
      const grid = { total, columns, rowHeight: 1, groups, lines };
      return besideLine(grid, at, step === "up" ? -1 : 1);
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
    // In a grid, up from the first line and down from the last stay where they are; the last
    // line may be shorter than the one above it.
    const onLastLine = Math.floor(at / columns) === Math.floor((total - 1) / columns);
    if (step === "up" && target < 0) return at;
    return step === "down" && onLastLine ? at : target;
  }
}
