import { keepIn } from "../core/browser_storage.ts";

const KEY = "cubby-places";

/** Older ones are forgotten: nobody goes back that far. */
const MAX_ENTRIES = 100;

/** What is found again of a history entry. */
export interface Remembered {
  /** How far it was scrolled, in pixels. */
  top: number;
  /** What else was kept of it: plain JSON. */
  kept: unknown;
}

const NOTHING: Remembered = { top: 0, kept: null };

/** Remembers how history entries were left, also when the page is reloaded. */
export class PlaceMemory {
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | undefined;
  readonly #places: Map<string, Remembered>;

  /** @param storage `sessionStorage`: one tab's own; undefined on the server */
  constructor(storage: Pick<Storage, "getItem" | "setItem"> | undefined) {
    this.#storage = storage;
    this.#places = read(storage);
  }

  /** Notes how an entry is left. */
  note(entry: string, how: Remembered): void {
    this.#places.delete(entry);
    this.#places.set(entry, how);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_ENTRIES && oldest !== undefined) this.#places.delete(oldest);
  }

  /** How an entry was left; at the top, with nothing kept, when that is not known. */
  recall(entry: string): Remembered {
    return this.#places.get(entry) ?? NOTHING;
  }

  /** Writes it down before the page goes. */
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
