import { type ReadonlySignal, signal } from "@preact/signals";
import { type BrowserStorage, keepIn, openLocalStorage } from "../core/browser_storage.ts";
import { useShared } from "../core/page.ts";

const KEY = "cubby-wrap";

/** Whether long lines are wrapped, remembered in this browser; on by default. */
export class WordWrap {
  readonly #storage: BrowserStorage;
  readonly #now;

  /** Whether long lines are wrapped. */
  readonly now: ReadonlySignal<boolean>;

  /** @param storage `localStorage` */
  constructor(storage: BrowserStorage) {
    this.#storage = storage;
    this.now = this.#now = signal(storage.getItem(KEY) !== "no");
  }

  /** Toggles the wrapping. */
  readonly toggle = (): void => {
    this.#now.value = !this.#now.peek();
    keepIn(this.#storage, KEY, this.#now.peek() ? "yes" : "no");
  };
}

/** The setting of the whole page. */
export function useWordWrap(): WordWrap {
  return useShared("wordWrap", () => new WordWrap(openLocalStorage()));
}
