/**
 * How long an upload may bring nothing, in milliseconds. Deno keeps up to a quarter of a megabyte
 * back before it writes, so a client has to send some 900 bytes a second: less than any line that
 * somebody waits for.
 */
export const mostStallMs = 5 * 60_000;

/**
 * Ends what makes no progress, such as an upload that trickles in a byte a minute to hold a file and
 * a connection for ever (Slowloris). It ends between one and two times the given time after the
 * last progress.
 */
export class IdleTimeout implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #outer: AbortSignal | undefined;

  /**
   * @param progress a number that grows as long as things go on
   * @param stallMs how long it may stay the same, in milliseconds
   * @param outer ends it as well
   */
  constructor(progress: () => number, stallMs: number, outer?: AbortSignal) {
    let last = -1;
    this.#outer = outer;
    this.#timer = setInterval(() => {
      const now = progress();
      if (now === last) this.#controller.abort(new Error("nothing came for too long"));
      last = now;
    }, stallMs);
    if (outer?.aborted) this.#abort();
    outer?.addEventListener("abort", this.#abort);
  }

  /** Says when it is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#outer?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer?.reason);
}
