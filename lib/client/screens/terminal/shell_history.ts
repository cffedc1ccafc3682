import { type BrowserStorage, keepIn } from "../../base/core/browser_storage.ts";

/** Capacity of the history, in lines. */
export const MOST_ENTRIES = 200;

/** Longer lines are not stored, in characters; the server refuses them, too. */
const LONGEST = 8_192;

/** The history of the shell, per user, kept in local storage. */
export class ShellHistory {
  readonly #storage: Pick<BrowserStorage, "getItem" | "setItem">;
  readonly #key: string;
  #entries: string[];
  /** The index of the shown entry; the number of entries while none is. */
  #at: number;
  /** The line that was being typed when the history was opened. */
  #draft = "";

  /** @param storage `localStorage` */
  constructor(storage: Pick<BrowserStorage, "getItem" | "setItem">, userId: number) {
    this.#storage = storage;
    this.#key = `cubby-shell-${userId}`;
    this.#entries = this.#read();
    this.#at = this.#entries.length;
  }

  /** Stores a line, unless it repeats the last; lines of other tabs are kept. */
  add(line: string): void {
    const entries = this.#read();
    if (line !== "" && line.length <= LONGEST && entries.at(-1) !== line) entries.push(line);
    this.#entries = entries.slice(-MOST_ENTRIES);
    this.#at = this.#entries.length;
    this.#draft = "";
    keepIn(this.#storage, this.#key, JSON.stringify(this.#entries));
  }

  /** The previous line; null when there is none. `present` is the field's content. */
  back(present: string): string | null {
    if (this.#at === 0) return null;
    if (this.#at === this.#entries.length) this.#draft = present;
    this.#at--;
    return this.#entries[this.#at] ?? null;
  }

  /** The next line, finally the one being typed; null when that is shown. */
  forward(): string | null {
    if (this.#at >= this.#entries.length) return null;
    this.#at++;
    return this.#entries[this.#at] ?? this.#draft;
  }

  #read(): string[] {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? "[]");
      if (!Array.isArray(stored)) return [];
      return stored.filter((line) => typeof line === "string").slice(-MOST_ENTRIES);
    } catch {
      return this.#entries ?? [];
    }
  }
}
