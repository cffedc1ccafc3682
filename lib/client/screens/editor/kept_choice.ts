import { type ReadonlySignal, signal } from "@preact/signals";
import { type BrowserStorage, keepIn, openLocalStorage } from "../../base/core/browser_storage.ts";
import { useShared } from "../../base/core/page.ts";

/** A choice between yes and no that is remembered in this browser; yes at first. */
export class KeptChoice {
  readonly #storage: BrowserStorage;
  readonly #key: string;
  readonly #now;

  /** Whether it is yes. */
  readonly now: ReadonlySignal<boolean>;

  /**
   * @param storage `localStorage`
   * @param key its key there
   */
  constructor(storage: BrowserStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
    this.now = this.#now = signal(storage.getItem(key) !== "no");
  }

  /** Chooses. */
  set(isYes: boolean): void {
    this.#now.value = isYes;
    keepIn(this.#storage, this.#key, isYes ? "yes" : "no");
  }
}

/** Whether long lines are wrapped. */
export function useWordWrap(): KeptChoice {
  return useKeptChoice("cubby-wrap");
}

/** Whether documents are shown to be read, rather than in the editor. */
export function useReadFirst(): KeptChoice {
  return useKeptChoice("cubby-read-first");
}

function useKeptChoice(key: string): KeptChoice {
  return useShared(key, () => new KeptChoice(openLocalStorage(), key));
}
