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
  /** The bytes of the current page that are written. */
  used = 0;

  /** The current page with room for some more bytes; null where no page has so much. */
  withRoom(length: number): Uint8Array<ArrayBuffer> | null {
    if (this.used + length <= this.#page.length) return this.#page;
    if (length > laterSize) return null;
    this.#turn();
    return this.#page;
  }

  /** Appends a text. */
  add(text: string): void {
    for (let rest = text;;) {
      const { read, written } = encoder.encodeInto(rest, this.#page.subarray(this.used));
      this.used += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      this.#turn();
    }
  }

  /** Appends chunks of others, which are not copied. */
  append(pages: readonly Uint8Array<ArrayBuffer>[]): void {
    this.#turn();
    this.#pages.push(...pages);
  }

  /** Takes the chunks that are complete. */
  takeFull(): Uint8Array<ArrayBuffer>[] {
    return this.#pages.splice(0);
  }

  /** Returns all chunks that were not taken. */
  end(): Uint8Array<ArrayBuffer>[] {
    this.#pages.push(this.#page.subarray(0, this.used));
    return this.#pages;
  }

  #turn(): void {
    this.#pages.push(this.#page.subarray(0, this.used));
    this.#page = new Uint8Array(laterSize);
    this.used = 0;
  }
}
