/**
 * Runs so many tasks at a time and lets a bounded number wait, so that a flood of logins takes
 * neither every core nor all memory.
 */
export class Lanes {
  readonly #width: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * @param width how many tasks run at a time
   * @param mostWaiting how many more may wait
   */
  constructor(width: number, mostWaiting: number) {
    this.#width = width;
    this.#mostWaiting = mostWaiting;
  }

  /** Whether another task would find no place to wait. */
  get full(): boolean {
    return this.#running >= this.#width && this.#waiting.length >= this.#mostWaiting;
  }

  /** Runs the task when its turn comes, first come, first served. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
