/** The shortest pause between two refreshes, in milliseconds. */
const REST_MS = 300;

/** The pause after a refresh, as a multiple of its duration: large folders are expensive. */
const REST_FACTOR = 3;

/** A rate limiter for refreshes: requests during a refresh or its pause are joined to one. */
export class Refresher {
  readonly #refresh: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #notBefore = 0;
  #isBusy = false;
  #again = false;

  /** @param refresh reloads; it must not throw */
  constructor(refresh: () => Promise<void>) {
    this.#refresh = refresh;
  }

  /** Requests a refresh that begins after this moment. */
  ask(): void {
    this.#again = true;
    if (this.#isBusy) return;
    const rest = Math.max(0, this.#notBefore - performance.now());
    this.#timer ??= setTimeout(() => this.#run(), rest);
  }

  /** Drops the pending request. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }

  async #run(): Promise<void> {
    this.stop();
    this.#isBusy = true;
    const start = performance.now();
    await this.#refresh();
    const end = performance.now();
    this.#notBefore = end + Math.max(REST_MS, REST_FACTOR * (end - start));
    this.#isBusy = false;
    if (this.#again) this.ask();
  }
}
