const KEY = "cubby-scroll";

/** Older ones are forgotten: nobody goes back that far. */
const MAX_ENTRIES = 100;

/** Remembers how far history entries were scrolled, in pixels, also when the page is reloaded. */
export class ScrollMemory {
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | undefined;
  readonly #tops: Map<string, number>;

  /** @param storage `sessionStorage`: one tab's own; undefined on the server */
  constructor(storage: Pick<Storage, "getItem" | "setItem"> | undefined) {
    this.#storage = storage;
    this.#tops = read(storage);
  }

  /** Notes how far an entry is scrolled. */
  note(entry: string, top: number): void {
    this.#tops.delete(entry);
    this.#tops.set(entry, top);
    const [oldest] = this.#tops.keys();
    if (this.#tops.size > MAX_ENTRIES && oldest !== undefined) this.#tops.delete(oldest);
  }

  /** How far an entry was scrolled; 0 when that is not known. */
  recall(entry: string): number {
    return this.#tops.get(entry) ?? 0;
  }

  /** Writes it down before the page goes. */
  store(): void {
    try {
      this.#storage?.setItem(KEY, JSON.stringify([...this.#tops]));
    } catch {
      // A full or forbidden storage costs only the comfort of finding one's place again.
    }
  }
}

function read(storage: Pick<Storage, "getItem"> | undefined): Map<string, number> {
  try {
    return new Map(JSON.parse(storage?.getItem(KEY) ?? "[]") as [string, number][]);
  } catch {
    return new Map();
  }
}
