import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Rows, Span } from "../listing/rows.ts";
import { addSpan, inSpans, removeSpan, sizeOfSpans } from "./spans.ts";

/** What is selected, at one moment. */
export interface Selected {
  /** How many entries, those not loaded yet included. */
  readonly size: number;
  /** Whether the entry at an index is selected. */
  has(index: number): boolean;
}

/** The keys that are held while an entry is clicked. */
export interface Held {
  /** Ctrl, or Command on a Mac: adds or takes away one entry. */
  toggle?: boolean;
  /** Shift: from the last entry clicked to this one. */
  range?: boolean;
}

/** What was selected at some time: the loaded entries by name, the others by index. */
export interface Kept {
  readonly names: ReadonlySet<string>;
  readonly unloaded: readonly Span[];
}

/**
 * The selected entries of the listing. Loaded ones are remembered by name, so that they stay
 * selected when rows move; ones that are not loaded yet by their index, until they are.
 */
export class Selection {
  /** While on, a plain click adds or takes away, as on touch screens. */
  readonly multiple: Signal<boolean> = signal(false);
  /** What is selected. */
  readonly now: ReadonlySignal<Selected>;

  readonly #rows: ReadonlySignal<Rows>;
  readonly #changes = signal(0);
  #names = new Set<string>();
  #unloaded: Span[] = [];
  /** Where a range starts. */
  #anchor: number | null = null;

  /** @param rows the rows that indexes speak of */
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

  /** Selects as a click on an entry does. */
  click(index: number, held: Held = {}): void {
    if (held.range) return this.range(this.#anchor ?? 0, index, held.toggle);
    if (held.toggle || this.multiple.peek()) return this.toggle(index);
    this.only(index);
  }

  /** Selects one entry and no other. */
  only(index: number): void {
    this.#forgetAll();
    this.#put({ from: index, to: index + 1 });
    this.#anchor = index;
    this.#changed();
  }

  /** Adds an entry, or takes it away when it is selected. */
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

  /** Selects from the last entry clicked to this one: Shift with an arrow key. */
  extendTo(index: number): void {
    this.range(this.#anchor ?? index, index);
  }

  /** Selects every entry of the folder. */
  all(): void {
    this.range(0, this.#rows.peek().total - 1);
    this.#anchor = null;
  }

  /** Selects nothing. */
  clear(): void {
    this.#forgetAll();
    this.#anchor = null;
    this.#changed();
  }

  /** Selects exactly the named entries, loaded or not. */
  name(names: Iterable<string>): void {
    this.#names = new Set(names);
    this.#unloaded = [];
    this.#anchor = null;
    this.#changed();
  }

  /** What is selected now, to be given to {@linkcode spans} later. */
  kept(): Kept {
    return { names: new Set(this.#names), unloaded: [...this.#unloaded] };
  }

  /** Selects the entries of some spans, besides those that were kept, and no others. */
  spans(spans: readonly Span[], kept?: Kept): void {
    this.#names = new Set(kept?.names);
    this.#unloaded = [...kept?.unloaded ?? []];
    for (const span of spans) this.#put(span);
    this.#anchor = spans[0]?.from ?? null;
    this.#changed();
  }

  /** The names of the selected entries as far as they are known, and where the others lie. */
  parts(): { names: string[]; unloaded: readonly Span[] } {
    return { names: [...this.#names], unloaded: this.#unloaded };
  }

  /** Turns indexes into names where rows have been loaded: after each window that arrives. */
  absorb(): void {
    if (this.#unloaded.length === 0) return;
    const spans = this.#unloaded;
    this.#unloaded = [];
    for (const span of spans) this.#put(span);
    this.#changed();
  }

  /**
   * Follows rows that were read anew.
   *
   * @param how.sameEntries nothing came or went, so "all" still means all
   * @param how.sameOrder indexes mean what they meant
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
    this.absorb();
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
