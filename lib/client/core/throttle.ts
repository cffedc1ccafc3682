/** A task that runs at once, then at most once in an interval, the last time included. */
export class Throttle {
  readonly #task: () => void;
  readonly #intervalMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again = false;

  /** @param task what runs; it should read the state of the moment */
  constructor(task: () => void, intervalMs: number) {
    this.#task = task;
    this.#intervalMs = intervalMs;
  }

  /** Asks for a run: now, or as soon as the interval is over. */
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

  /** Runs now, whatever the interval, and is at rest again. */
  flush(): void {
    this.stop();
    this.#task();
  }

  /** Is at rest without another run. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }
}
