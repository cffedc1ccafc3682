import { type ReadonlySignal, signal } from "@preact/signals";
import { type BrowserStorage, keepIn, openLocalStorage } from "../core/browser_storage.ts";
import { useShared } from "../core/shared.ts";

const KEY = "cubby-wrap";

/** Whether long lines are wrapped: remembered in this browser, yes until somebody says otherwise. */
export class WordWrap {
  readonly #storage: BrowserStorage;
  readonly #now;

  /** @param storage `localStorage` */
  constructor(storage: BrowserStorage) {
    this.#storage = storage;
    this.#now = signal(storage.getItem(KEY) !== "no");
  }

  /** Whether long lines are wrapped. */
  get now(): ReadonlySignal<boolean> {
    return this.#now;
  }

  /** Wraps them from now on, or no longer. */
  readonly toggle = (): void => {
    this.#now.value = !this.#now.peek();
    keepIn(this.#storage, KEY, this.#now.peek() ? "yes" : "no");
  };
}

/** The one for the whole page. */
export function useWordWrap(): WordWrap {
  return useShared("wordWrap", () => new WordWrap(openLocalStorage()));
}
