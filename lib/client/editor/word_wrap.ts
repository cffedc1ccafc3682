import { type ReadonlySignal, signal } from "@preact/signals";
import { useShared } from "../shared.ts";

const KEY = "cubby-wrap";

type Remembers = Pick<Storage, "getItem" | "setItem">;

/** Whether long lines are wrapped: remembered in this browser, yes until somebody says otherwise. */
export class WordWrap {
  readonly #storage: () => Remembers;
  readonly #now;

  /** @param storage finds `localStorage`; it may throw where the browser forbids it */
  constructor(storage: () => Remembers) {
    this.#storage = storage;
    this.#now = signal(this.#read() !== "no");
  }

  /** Whether long lines are wrapped. */
  get now(): ReadonlySignal<boolean> {
    return this.#now;
  }

  /** Wraps them from now on, or no longer. */
  readonly toggle = (): void => {
    this.#now.value = !this.#now.peek();
    try {
      this.#storage().setItem(KEY, this.#now.peek() ? "yes" : "no");
    } catch {
      // Where nothing can be stored it holds for this visit.
    }
  };

  #read(): string | null {
    try {
      return this.#storage().getItem(KEY);
    } catch {
      return null;
    }
  }
}

/** The one for the whole page. */
export function useWordWrap(): WordWrap {
  return useShared("wordWrap", () => new WordWrap(() => localStorage));
}
