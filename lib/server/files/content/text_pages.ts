/** Sizes of the first chunk and the later ones, in bytes: most answers fit into the first. */
const firstSize = 32 * 1024;
const laterSize = 64 * 1024;

const encoder = new TextEncoder();

/**
 * A growing UTF-8 text in chunks: nothing is copied after it was written, and each chunk can be
 * transferred, sent and freed by itself.
 */
export class TextPages {
  readonly #pages: Uint8Array<ArrayBuffer>[] = [];
  #page = new Uint8Array(firstSize);
  #used = 0;

  /** Appends a text. */
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

  /** Returns all chunks. */
  end(): Uint8Array<ArrayBuffer>[] {
    this.#turn();
    return this.#pages;
  }

  #turn(): void {
    this.#pages.push(this.#page.subarray(0, this.#used));
    this.#used = 0;
  }
}
