import type { ReadonlySignal, Signal } from "@preact/signals";

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

/** The selected entries of the listing; entries that are not loaded yet can be among them. */
export declare class Selection {
  readonly now: ReadonlySignal<Selected>;
  /** While on, a plain click adds or takes away, as on touch screens. */
  readonly multiple: Signal<boolean>;
  /** Selects as a click on an entry does. */
  click(index: number, held?: Held): void;
  all(): void;
  clear(): void;
}
