import type { Pauses } from "../../core/concurrency/pauses.ts";

/** The default size of a full chunk, in bytes; larger ones are not faster. */
const chunkSize = 256 * 1024;

/** The first chunk is small, so that the first bytes leave early. */
const firstSize = 16 * 1024;

/**
 * Receives a chunk and the position of its first byte in the output. The buffer is reused
 * afterwards, unless it was transferred to another thread (detached).
 */
export type SendChunk = (chunk: Uint8Array<ArrayBuffer>, position: number) => Promise<void>;

/**
 * An output stream that is written into large buffers, each sent when full. Nothing is copied
 * twice: files are read straight into the buffer.
 */
export class OutputBuffer {
  /** Pauses for code that fills the buffer. */
  readonly pauses: Pauses;
  readonly #send: SendChunk;
  readonly #size: number;
  #buffer = new Uint8Array(firstSize);
  #view = new DataView(this.#buffer.buffer);
  #used = 0;
  #start = 0;

  /** @param size of a full chunk, in bytes */
  constructor(pauses: Pauses, send: SendChunk, size = chunkSize) {
    this.pauses = pauses;
    this.#send = send;
    this.#size = size;
  }

  /** Bytes written or skipped so far. */
  get position(): number {
    return this.#start + this.#used;
  }

  /** Free bytes in the current buffer. */
  get free(): number {
    return this.#buffer.length - this.#used;
  }

  /** The free part of the buffer, at least as long as requested from {@link reserve}. */
  get rest(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(this.#used);
  }

  /** The buffer as a view, to write numbers from {@link offset} on. */
  get view(): DataView<ArrayBuffer> {
    return this.#view;
  }

  /** Where the free part begins in {@link view}. */
  get offset(): number {
    return this.#used;
  }

  /** Ensures that `count` contiguous bytes are free; the buffer may grow for that. */
  async reserve(count: number): Promise<void> {
    if (this.free >= count) return;
    await this.flush();
    if (this.#buffer.length < count) this.#open(Math.max(count, firstSize));
  }

  /** Marks `count` bytes of the free part as written. */
  advance(count: number): void {
    this.#used += count;
  }

  /** Copies bytes in, sending buffers as they fill. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      await this.reserve(1);
      const part = bytes.subarray(done, done + this.free);
      this.#buffer.set(part, this.#used);
      this.advance(part.length);
      done += part.length;
    }
  }

  /** Sends the bytes written so far, and continues in an empty buffer. */
  async flush(): Promise<void> {
    const used = this.#used;
    if (used === 0) return;
    const size = Math.min(this.#size, this.#buffer.length * 4);
    await this.#send(this.#buffer.subarray(0, used), this.#start);
    this.#start += used;
    this.#used = 0;
    if (this.#buffer.length < size) this.#open(size);
    else this.#buffer.fill(0, 0, used);
  }

  /** Skips bytes outside the requested range; earlier ones are sent first. */
  async skip(count: number): Promise<void> {
    await this.flush();
    this.#start += count;
  }

  #open(size: number): void {
    this.#buffer = new Uint8Array(size);
    this.#view = new DataView(this.#buffer.buffer);
  }
}
