import { keepIn } from "../core/browser_storage.ts";

const KEY = "cubby-places";

/** The most entries kept; the oldest is dropped first. */
const MAX_ENTRIES = 100;

/** The saved state of a history entry. */
export interface Remembered {
  /** The scroll position, in pixels. */
  top: number;
  /** Further state: plain JSON. */
  kept: unknown;
}

const NOTHING: Remembered = { top: 0, kept: null };

/** The saved state of history entries, kept across reloads. */
export class PlaceMemory {
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | undefined;
  readonly #places: Map<string, Remembered>;

  /** @param storage `sessionStorage`: one tab's own; undefined on the server */
  constructor(storage: Pick<Storage, "getItem" | "setItem"> | undefined) {
    this.#storage = storage;
    this.#places = read(storage);
  }

  /** Saves the state of an entry. */
  note(entry: string, how: Remembered): void {
    this.#places.delete(entry);
    this.#places.set(entry, how);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_ENTRIES && oldest !== undefined) this.#places.delete(oldest);
  }

  /** The saved state of an entry; the top of the page if there is none. */
  recall(entry: string): Remembered {
    return this.#places.get(entry) ?? NOTHING;
  }

  /** Writes all states to the storage, before the page is left. */
  store(): void {
    keepIn(this.#storage, KEY, JSON.stringify([...this.#places]));
  }
}

function read(storage: Pick<Storage, "getItem"> | undefined): Map<string, Remembered> {
  try {
    return new Map(JSON.parse(storage?.getItem(KEY) ?? "[]") as [string, Remembered][]);
  } catch {
    return new Map();
  }
}
