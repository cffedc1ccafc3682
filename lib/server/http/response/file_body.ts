import type { ReadableFile } from "../../core/access/file_handle.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Bytes of a piece, each a read on another thread. All buffers of a download fit in a processor's
 * second cache: with larger pieces several downloads at once are slower than with small ones.
 */
const largePiece = 256 * 1024;

/** Bytes of a piece for a reader that became slow: as much as Deno's own stream of a file reads. */
const smallPiece = 64 * 1024;

/**
 * Buffers of large pieces that one download uses in turn. Deno keeps a reference to a piece until
 * its bytes are sent, so a buffer that is filled too early corrupts the answer. When Deno asks for
 * the next piece, it holds all of the last one, and of those before it less than 64 KiB in the queue
 * of the stream (`ext/web/stream_resource.rs`) and less than 512 KiB in HTTP (a send buffer of
 * 400 KiB and a frame of 64 KiB). That is a part of three pieces, so the fifth buffer is free; one
 * more is a reserve. All but the last piece must be full.
 */
const ringSize = 6;

/** Downloads in large pieces at once, in one thread: at most 24 MiB of buffers. */
const maxLarge = 16;

/** A reader is slow that needs more than a second for so many bytes, measured again and again. */
const measuredBytes = 8 * 2 ** 20;
const slowMs = 1_000;

let large = 0;

/**
 * The body of an answer: bytes of a file from its current position. A large body is sent in large
 * pieces while few are sent at once; all others use Deno's own stream, which holds less memory for
 * each reader. The body closes the file at its end, when it is cancelled, and when a read fails; the
 * caller reads or cancels it.
 *
 * A chunk is valid until the next five are read, since its buffer is used again: the server sends
 * chunks in turn, but `Response.bytes()` in this process would collect wrong bytes.
 *
 * @param length bytes to send. A shorter file ends the body early; the body may be longer, since the
 * server stops at `Content-Length`
 */
export function fileBody(file: ReadableFile, length: number): ReadableStream<Bytes> {
  if (length <= measuredBytes || large >= maxLarge) return file.readable;
  return new ReadableStream(new FileSource(file, length), { highWaterMark: 0 });
}

class FileSource implements UnderlyingDefaultSource<Bytes> {
  readonly #file: ReadableFile;
  /** Bytes still to send. */
  #left: number;
  #isClosed = false;
  #reading: Promise<unknown> = Promise.resolve();
  /** Bytes since the reader was last measured, and when that was. */
  #measured = 0;
  #since = performance.now();
  /** Whether this download counts among {@link large}. */
  #isCounted = true;
  #isSlow = false;
  #ring: Bytes[] = [];
  #turn = 0;

  constructor(file: ReadableFile, length: number) {
    this.#file = file;
    this.#left = length;
    large++;
  }

  async pull(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
    if (this.#measured >= measuredBytes) this.#measure();
    const buffer = this.#nextBuffer();
    const wanted = buffer.subarray(0, Math.min(buffer.length, this.#left));
    const reading = this.#fill(wanted);
    this.#reading = reading.catch(() => {});
    let count: number;
    try {
      count = await reading;
    } catch (error) {
      if (!this.#isClosed) this.#close();
      throw error;
    }
    if (this.#isClosed) return;
    this.#left -= count;
    this.#measured += count;
    if (count > 0) controller.enqueue(wanted.subarray(0, count));
    if (count === wanted.length && this.#left > 0) return;
    this.#close();
    controller.close();
  }

  /** Waits for a read, so that its descriptor is not used for another file. */
  async cancel(): Promise<void> {
    this.#isClosed = true;
    await this.#reading;
    this.#close();
  }

  /**
   * Decides on the size of the next pieces. A reader that became slow still counts for the next
   * {@link measuredBytes}, until its large pieces are sent; slow again, it gets small ones to the end.
   */
  #measure(): void {
    const now = performance.now();
    const wasSlow = this.#isSlow;
    this.#isSlow = !this.#isCounted || now - this.#since > slowMs;
    if (this.#isSlow) this.#ring = [];
    if (this.#isSlow && wasSlow) this.#uncount();
    this.#measured = 0;
    this.#since = now;
  }

  #nextBuffer(): Bytes {
    if (this.#isSlow) return new Uint8Array(Math.min(smallPiece, this.#left));
    this.#turn = (this.#turn + 1) % ringSize;
    return this.#ring[this.#turn] ??= new Uint8Array(largePiece);
  }

  /** Fills a buffer as far as the file reaches: a read may return less. */
  async #fill(buffer: Bytes): Promise<number> {
    let done = 0;
    while (done < buffer.length) {
      const count = await this.#file.read(buffer.subarray(done));
      if (count === null || this.#isClosed) break;
      done += count;
    }
    return done;
  }

  /** Called once: by the last pull, or by the cancellation. */
  #close(): void {
    this.#isClosed = true;
    this.#uncount();
    this.#ring = [];
    this.#file.close();
  }

  #uncount(): void {
    if (!this.#isCounted) return;
    this.#isCounted = false;
    large--;
  }
}
