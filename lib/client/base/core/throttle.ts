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
