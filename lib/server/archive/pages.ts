import type { Pauses } from "../concurrency/pauses.ts";

/** The size of a full page, in bytes, unless said otherwise: larger ones bring no more speed. */
const pageSize = 256 * 1024;

/** The first page is small, so that the first bytes leave early. */
const firstSize = 16 * 1024;

/**
 * Takes a page, with the place of its first byte in the whole. The page is used again afterwards,
 * unless its buffer was moved to another thread, which leaves it without length.
 */
export type TakePage = (page: Uint8Array<ArrayBuffer>, position: number) => Promise<void>;

/**
 * A stream of bytes that is written into large buffers, which are handed on when they are full. What
 * is written is never copied again: files are read straight into a page.
 */
export class Pages {
  /** The pauses of those who fill the pages. */
  readonly pauses: Pauses;
  readonly #take: TakePage;
  readonly #size: number;
  #page = new Uint8Array(firstSize);
  #view = new DataView(this.#page.buffer);
  #used = 0;
  #start = 0;

  /** @param size of a full page, in bytes */
  constructor(pauses: Pauses, take: TakePage, size = pageSize) {
    this.pauses = pauses;
    this.#take = take;
    this.#size = size;
  }

  /** How many bytes were written or skipped so far. */
  get position(): number {
    return this.#start + this.#used;
  }

  /** How many bytes the page still has room for. */
  get free(): number {
    return this.#page.length - this.#used;
  }

  /** The free part of the page, at least as long as {@link room} was asked for. */
  get rest(): Uint8Array<ArrayBuffer> {
    return this.#page.subarray(this.#used);
  }

  /** The page, for numbers; they are written from {@link offset} on. */
  get view(): DataView<ArrayBuffer> {
    return this.#view;
  }

  /** Where the free part begins in {@link view}. */
  get offset(): number {
    return this.#used;
  }

  /** Ensures that `count` contiguous bytes are free; a page may be larger for it. */
  async room(count: number): Promise<void> {
    if (this.free >= count) return;
    await this.turn();
    if (this.#page.length < count) this.#open(Math.max(count, firstSize));
  }

  /** Says that so many bytes of the free part were written. */
  advance(count: number): void {
    this.#used += count;
  }

  /** Copies bytes in, over as many pages as it takes. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      await this.room(1);
      const part = bytes.subarray(done, done + this.free);
      this.#page.set(part, this.#used);
      this.advance(part.length);
      done += part.length;
    }
  }

  /** Hands on what was written so far. */
  async turn(): Promise<void> {
    const used = this.#used;
    if (used === 0) return;
    const size = Math.min(this.#size, this.#page.length * 4);
    await this.#take(this.#page.subarray(0, used), this.#start);
    this.#start += used;
    this.#used = 0;
    if (this.#page.length < size) this.#open(size);
    else this.#page.fill(0, 0, used);
  }

  /** Leaves out bytes that nobody wants; what was written before goes on its way. */
  async skip(count: number): Promise<void> {
    await this.turn();
    this.#start += count;
  }

  #open(size: number): void {
    this.#page = new Uint8Array(size);
    this.#view = new DataView(this.#page.buffer);
  }
}
