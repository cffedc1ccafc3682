import { DETAILS } from "../../base/core/keyboard.ts";
import type { Api } from "../../base/api/api.ts";
import type { Listing } from "../listing/listing.ts";

/** The pause after which a new word starts, in milliseconds. */
const PAUSE_MS = 1000;

/** The time after which a lone letter that is a shortcut begins no word any more, in milliseconds. */
const LONE_MS = 400;

/** The dependencies of type-ahead. */
export interface TypeAheadOptions {
  api: Pick<Api, "resource">;
  listing: Pick<Listing, "path" | "rows" | "order" | "cursor" | "selection">;
  /** Shows or hides the details: by the letter of their shortcut, typed alone. */
  onDetails: () => void;
}

/**
 * Selects the next entry whose name starts with the typed text; repeating one letter cycles through
 * its entries. In a folder that is not wholly loaded the server finds the entry.
 */
export class TypeAhead {
  readonly #options: TypeAheadOptions;
  #typed = "";
  #typedAt = -Infinity;
  #asking = new AbortController();
  #alone: ReturnType<typeof setTimeout> | undefined;

  /** @param options the rows to find entries in */
  constructor(options: TypeAheadOptions) {
    this.#options = options;
  }

  /**
   * Takes a typed character. A word that has lost its match leaves nothing selected.
   *
   * @param at when it was typed, in milliseconds
   * @returns whether there is a match, now selected
   */
  async type(character: string, at: number): Promise<boolean> {
    clearTimeout(this.#alone);
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    if (at - this.#typedAt > PAUSE_MS) this.#typed = "";
    this.#typedAt = at;
    const letter = character.toLowerCase();
    this.#typed += letter;
    if (this.#typed === DETAILS && character === DETAILS) {
      this.#alone = setTimeout(() => {
        this.#typed = "";
        this.#options.onDetails();
      }, LONE_MS);
      return false;
    }
    const isRepeated = this.#typed === letter.repeat(this.#typed.length);
    const isWord = this.#typed.length > 1;

    const { listing: { path, rows, cursor, selection } } = this.#options;
    const folder = path.peek();
    const from = Math.max(0, cursor.index.peek() + (isRepeated ? 1 : 0));
    const wanted = isRepeated ? letter : this.#typed;
    const { loaded, total } = rows.peek();
    const found = loaded === total
      ? this.#find(wanted, from)
      : await this.#ask(wanted, from, signal);
    if (signal.aborted || path.peek() !== folder || found === null) return false;
    if (found === -1) {
      if (isWord) selection.clear();
      return false;
    }
    cursor.put(found);
    selection.only(found);
    return true;
  }

  #find(start: string, from: number): number {
    const matches = [...this.#options.listing.rows.peek().entries()]
      .filter(([, { name }]) => name.toLowerCase().startsWith(start))
      .map(([index]) => index);
    return matches.find((index) => index >= from) ?? matches[0] ?? -1;
  }

  /** The index that the server finds; -1 for none, null when it does not answer. */
  async #ask(startsWith: string, offset: number, signal: AbortSignal): Promise<number | null> {
    const { api, listing } = this.#options;
    const window = { offset, limit: 1, startsWith, ...listing.order, signal };
    const answer = await api.resource(listing.path.peek(), window);
    return answer.ok ? answer.value.offset ?? -1 : null;
  }
}
