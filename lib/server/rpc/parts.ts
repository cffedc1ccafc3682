/** How many parts wait for a slow reader; the Worker stands still meanwhile. */
const mostWaiting = 2;

/**
 * A stream of the parts that a Worker sends. The Worker sends one only when it was asked for, so a
 * reader that is slow, or gone, costs no memory and no work.
 */
export class Parts {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null;
  #arrived: (() => void) | null = null;

  /**
   * @param ask asks for one more part
   * @param cancel the reader has gone
   */
  constructor(ask: () => void, cancel: () => void) {
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#arrived = resolve;
        ask();
        return promise;
      },
      cancel: () => {
        this.#controller = null;
        cancel();
      },
    }, { highWaterMark: mostWaiting });
  }

  /** Takes the part that was asked for. */
  add(part: Uint8Array<ArrayBuffer>): void {
    this.#controller?.enqueue(part);
    this.#rest();
  }

  /** There are no more parts. */
  close(): void {
    this.#controller?.close();
    this.#controller = null;
    this.#rest();
  }

  /** The rest will not come: the reader is told, so that nobody takes what there is for the whole. */
  fail(reason: unknown): void {
    this.#controller?.error(reason);
    this.#controller = null;
    this.#rest();
  }

  #rest(): void {
    this.#arrived?.();
    this.#arrived = null;
  }
}
