import { DomainError } from "../../shared/errors.ts";
import type { Bytes } from "./protocol.ts";

/** How many parts may be on their way to a reader, or wait for it, at a time. */
const mostParts = 2;

/** A message about a stream to the worker that writes it, without the number of its call. */
export type StreamRequest = { begin?: unknown; credits: number };

/** How a stream is read. */
export interface ReadOptions {
  /** Gets the error that breaks the stream off; the reader gets what this returns. */
  onBreak?: (error: unknown) => unknown;
}

/**
 * The caller's end of a streamed answer. The worker sends a part for each credit that it was given,
 * so a reader that is slow, or gone, costs a few parts of memory and no work.
 */
export class IncomingStream<Begin = void> {
  readonly #send: (request: StreamRequest) => void;
  readonly #cancel: () => void;
  readonly #parts: Bytes[] = [];
  #arrived: PromiseWithResolvers<void> | null = null;
  #end: { error?: unknown } | null = null;
  #isCancelled = false;

  /**
   * @param send sends a message about this call to the worker
   * @param cancel ends the call
   */
  constructor(send: (request: StreamRequest) => void, cancel: () => void) {
    this.#send = send;
    this.#cancel = cancel;
  }

  /**
   * The bytes. When something fails, the stream does too: it never ends as if it were complete.
   *
   * @param begin what the worker waits for before it writes
   */
  read(begin: Begin, { onBreak = (error) => error }: ReadOptions = {}): ReadableStream<Bytes> {
    let hasBegun = false;
    return new ReadableStream({
      pull: async (controller) => {
        if (!hasBegun) this.#send({ begin, credits: mostParts });
        hasBegun = true;
        try {
          const part = await this.#next();
          if (!part) return controller.close();
          controller.enqueue(part);
          this.#send({ credits: 1 });
        } catch (error) {
          controller.error(this.#isCancelled ? error : onBreak(error));
        }
      },
      cancel: () => this.cancel(),
    }, { highWaterMark: 0 });
  }

  /** Ends the work on it; parts that were not read are dropped, and a reader gets the reason. */
  cancel(reason: unknown = new DomainError("internal", "Cannot go on: nobody wants it")): void {
    if (this.#end) return;
    this.#isCancelled = true;
    this.fail(reason);
    this.#cancel();
  }

  /** Takes a part that has arrived. */
  add(part: Bytes): void {
    this.#parts.push(part);
    this.#wake();
  }

  /** All parts have arrived. */
  close(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** The rest will not come; what was not read is dropped. */
  fail(error: unknown): void {
    if (this.#end) return;
    this.#end = { error };
    for (const { buffer } of this.#parts.splice(0)) buffer.transfer(0);
    this.#wake();
  }

  async #next(): Promise<Bytes | null> {
    for (;;) {
      const part = this.#parts.shift();
      if (part) return part;
      if (this.#end && "error" in this.#end) throw this.#end.error;
      if (this.#end) return null;
      this.#arrived = Promise.withResolvers();
      await this.#arrived.promise;
    }
  }

  #wake(): void {
    this.#arrived?.resolve();
    this.#arrived = null;
  }
}
