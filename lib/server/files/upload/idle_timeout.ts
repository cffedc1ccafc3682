/**
 * Idle timeout of an upload, in milliseconds. Deno buffers up to 256 KiB before it writes, so a
 * client has to send about 900 bytes a second, slower than any usable connection.
 */
export const maxStallMs = 5 * 60_000;

/**
 * Aborts work without progress, such as an upload that sends a byte a minute to hold a file and a
 * connection for ever (Slowloris). The abort comes between one and two timeouts after the last
 * progress.
 */
export class IdleTimeout implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #outer: AbortSignal | undefined;

  /**
   * @param progress a number that grows with progress
   * @param stallMs the timeout, in milliseconds
   * @param outer aborts it as well
   */
  constructor(progress: () => number, stallMs: number, outer?: AbortSignal) {
    let last = -1;
    this.#outer = outer;
    this.#timer = setInterval(() => {
      const now = progress();
      if (now === last) this.#controller.abort(new Error("no data arrived for too long"));
      last = now;
    }, stallMs);
    if (outer?.aborted) this.#abort();
    outer?.addEventListener("abort", this.#abort);
  }

  /** Aborted at the timeout. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#outer?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer?.reason);
}
