/** How much may still come, of messages, bytes or requests: a token bucket. */
export class Rate {
  readonly #perSecond: number;
  readonly #atOnce: number;
  #left: number;
  #at = performance.now();

  /** @param atOnce the most at once, after a pause */
  constructor(perSecond: number, atOnce: number) {
    this.#perSecond = perSecond;
    this.#atOnce = this.#left = atOnce;
  }

  /** Whether so much may come now; what is refused counts, too. */
  take(count: number): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#atOnce, this.#left + (now - this.#at) / 1000 * this.#perSecond);
    this.#at = now;
    this.#left -= count;
    return this.#left >= 0;
  }
}
