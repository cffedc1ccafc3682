/** Runs a task at once, then at most once per interval, the last call included. */
export class Throttle {
  readonly #task: () => void;
  readonly #intervalMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again = false;

  /** @param task the task; it should read the current state */
  constructor(task: () => void, intervalMs: number) {
    this.#task = task;
    this.#intervalMs = intervalMs;
  }

  /** Requests a run: now, or at the end of the interval. */
  ask(): void {
    if (this.#timer !== undefined) {
      this.#again = true;
      return;
    }
    this.#task();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const again = this.#again;
      this.#again = false;
      if (again) this.ask();
    }, this.#intervalMs);
  }

  /** Runs now, whatever the interval, and resets it. */
  flush(): void {
    this.stop();
    this.#task();
  }

  /** Resets the interval without another run. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }
}

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
