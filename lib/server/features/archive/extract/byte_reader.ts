import { joined } from "../../../../shared/joined.ts";
import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";

/** Reads a stream of chunks by lengths of its own. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Bytes>;
  #rest: Bytes = new Uint8Array(0);
  #position = 0;

  constructor(stream: ByteStream) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** How many bytes were taken or skipped. */
  get position(): number {
    return this.#position;
  }

  /**
   * Leaves bytes out.
   *
   * @throws {DomainError} `broken_archive` when the stream ends within them
   */
  async skip(length: number): Promise<void> {
    const known = Math.min(length, this.#rest.length);
    this.#rest = this.#rest.subarray(known);
    this.#position += known;
    const left = length - known;
    if (left > 0 && !this.leap(left)) {
      for (let missing = left; missing > 0;) {
        const part = await this.some(missing);
        if (!part) throw brokenArchiveError("it is truncated");
        missing -= part.length;
      }
    } else this.#position += left;
  }

  /**
   * Moves the stream itself on by a number of bytes, without reading them. @returns false if it
   * can't
   */
  protected leap(_length: number): boolean {
    return false;
  }

  /**
   * The next bytes; null at the end of the stream.
   *
   * @throws {DomainError} `broken_archive` when it ends within them
   */
  async take(length: number): Promise<Bytes | null> {
    const parts: Bytes[] = [];
    for (let missing = length; missing > 0;) {
      const part = await this.some(missing);
      if (!part && parts.length === 0) return null;
      if (!part) throw brokenArchiveError("it is truncated");
      parts.push(part);
      missing -= part.length;
    }
    return joined(parts);
  }

  /** The same where the stream must not end. */
  async need(length: number): Promise<Bytes> {
    const taken = await this.take(length);
    if (taken) return taken;
    throw brokenArchiveError("it is truncated");
  }

  /**
   * Up to `count` bytes, without waiting for all of them; null at the end.
   *
   * @throws {DomainError} as the stream does
   */
  async some(max: number): Promise<Bytes | null> {
    if (this.#rest.length === 0) {
      const chunk = await this.#next();
      if (!chunk) return null;
      this.#rest = chunk;
    }
    const taken = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(taken.length);
    this.#position += taken.length;
    return taken;
  }

  /** Gives the stream up. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #next(): Promise<Bytes | null> {
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return null;
      if (value.length > 0) return value;
    }
  }
}
