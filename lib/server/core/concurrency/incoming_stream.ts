import { DomainError } from "../../../shared/errors.ts";
import type { Bytes } from "./protocol.ts";

/**
 * Maximum number of parts in transit or buffered for a reader: with fewer, the worker and the
 * reader of an archive wait for each other.
 */
const maxParts = 4;

/** A message about a stream to the worker that writes it, without the call's id. */
export type StreamRequest = { begin?: unknown; credits: number };

/** Options of reading a stream. */
export interface ReadOptions {
  /** Maps the error that breaks the stream off to the one that the reader gets. */
  onBreak?: (error: unknown) => unknown;
}

/**
 * The caller's end of a streamed answer, with back-pressure: the worker sends one part for each
 * credit, so a slow or absent reader costs the memory of a few parts and no work.
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
   * @param cancel cancels the call
   */
  constructor(send: (request: StreamRequest) => void, cancel: () => void) {
    this.#send = send;
    this.#cancel = cancel;
  }

  /**
   * The bytes. An error breaks the stream off: it never looks complete then.
   *
   * @param begin the argument that the worker waits for before it writes
   */
  read(begin: Begin, { onBreak = (error) => error }: ReadOptions = {}): ReadableStream<Bytes> {
    let hasBegun = false;
    let isAbandoned = false;
    return new ReadableStream({
      pull: async (controller) => {
        if (!hasBegun) this.#send({ begin, credits: maxParts });
        hasBegun = true;
        try {
          const part = await this.#next();
          // The last parts may have arrived before the reader left.
          if (isAbandoned) return;
          if (!part) return controller.close();
          controller.enqueue(part);
          this.#send({ credits: 1 });
        } catch (error) {
          controller.error(this.#isCancelled || isAbandoned ? error : onBreak(error));
        }
      },
      cancel: () => {
        isAbandoned = true;
        this.cancel();
      },
    }, { highWaterMark: 0 });
  }

  /** Cancels the work; unread parts are dropped, and a reader gets the reason. */
  cancel(
    reason: unknown = new DomainError("internal", "Cannot continue: the request was cancelled"),
  ): void {
    if (this.#end) return;
    this.#isCancelled = true;
    this.fail(reason);
    this.#cancel();
  }

  /** Receives a part. */
  add(part: Bytes): void {
    this.#parts.push(part);
    this.#wake();
  }

  /** Marks the stream as complete. */
  close(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Breaks the stream off; unread parts are dropped. */
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
