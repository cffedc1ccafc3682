/** The size of the first page and of those after it, in bytes: most answers fit into the first. */
const firstSize = 32 * 1024;
const laterSize = 64 * 1024;

const encoder = new TextEncoder();

/**
 * A long text in UTF-8, in pages: nothing is copied once it is written, and each page can be given
 * away, sent and freed by itself.
 */
export class TextPages {
  readonly #pages: Uint8Array<ArrayBuffer>[] = [];
  #page = new Uint8Array(firstSize);
  #used = 0;

  /** Writes a text at the end. */
  add(text: string): void {
    for (let rest = text;;) {
      const { read, written } = encoder.encodeInto(rest, this.#page.subarray(this.#used));
      this.#used += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      this.#turn();
      this.#page = new Uint8Array(laterSize);
    }
  }

  /** All that was written. */
  end(): Uint8Array<ArrayBuffer>[] {
    this.#turn();
    return this.#pages;
  }

  #turn(): void {
    this.#pages.push(this.#page.subarray(0, this.#used));
    this.#used = 0;
  }
}
