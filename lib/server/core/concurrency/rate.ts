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
    this.spend(count);
    return this.#left >= 0;
  }

  /** Counts what has come, however much it is: what follows waits for it. */
  spend(count: number): void {
    this.#refill();
    this.#left -= count;
  }

  /** Seconds until one more may come; 0 for now. */
  wait(): number {
    this.#refill();
    return Math.max(0, (1 - this.#left) / this.#perSecond);
  }

  #refill(): void {
    const now = performance.now();
    this.#left = Math.min(this.#atOnce, this.#left + (now - this.#at) / 1000 * this.#perSecond);
    this.#at = now;
  }
}
