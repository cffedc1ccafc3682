import { type BrowserStorage, keepIn } from "../core/browser_storage.ts";

/** How many lines are remembered. */
export const MOST_ENTRIES = 200;

/** Longer lines are not remembered; the server takes none of them either, in characters. */
const LONGEST = 8_192;

/** What was typed into the shell, also before a reload; each user of the browser has their own. */
export class ShellHistory {
  readonly #storage: Pick<BrowserStorage, "getItem" | "setItem">;
  readonly #key: string;
  #entries: string[];
  /** The entry that is shown; their number while none is. */
  #at: number;
  /** What was being typed when the first entry was shown. */
  #draft = "";

  /** @param storage `localStorage` */
  constructor(storage: Pick<BrowserStorage, "getItem" | "setItem">, userId: number) {
    this.#storage = storage;
    this.#key = `cubby-shell-${userId}`;
    this.#entries = this.#read();
    this.#at = this.#entries.length;
  }

  /** Remembers a line, unless it is the same as the last; what other tabs remember stays. */
  add(line: string): void {
    const entries = this.#read();
    if (line !== "" && line.length <= LONGEST && entries.at(-1) !== line) entries.push(line);
    this.#entries = entries.slice(-MOST_ENTRIES);
    this.#at = this.#entries.length;
    this.#draft = "";
    keepIn(this.#storage, this.#key, JSON.stringify(this.#entries));
  }

  /** The line before; null when there is none. `present` is what stands in the field. */
  back(present: string): string | null {
    if (this.#at === 0) return null;
    if (this.#at === this.#entries.length) this.#draft = present;
    this.#at--;
    return this.#entries[this.#at] ?? null;
  }

  /** The line after, in the end what was being typed; null when that is what is shown. */
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
