/** The least time between the end of one refresh and the next, in milliseconds. */
const REST_MS = 300;

/** How many times as long as a refresh took the next has to wait: large folders cost the server. */
const REST_FACTOR = 3;

/** Refreshes on request: at once when it has rested, else as soon as it has, once for all requests. */
export class Refresher {
  readonly #refresh: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #notBefore = 0;
  #isBusy = false;
  #again = false;

  /** @param refresh reads anew; it must not fail */
  constructor(refresh: () => Promise<void>) {
    this.#refresh = refresh;
  }

  /** Asks for a refresh that begins after this moment. */
  ask(): void {
    if (this.#isBusy) this.#again = true;
    else this.#timer ??= setTimeout(() => this.#run(), Math.max(0, this.#notBefore - now()));
  }

  /** Forgets what was asked for. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isBusy = true;
    const start = now();
    await this.#refresh();
    const end = now();
    this.#notBefore = end + Math.max(REST_MS, REST_FACTOR * (end - start));
    this.#isBusy = false;
    if (!this.#again) return;
    this.#again = false;
    this.ask();
  }
}

function now(): number {
  return performance.now();
}
