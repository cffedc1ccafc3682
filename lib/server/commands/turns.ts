/** Lets so many of each queue go at once; the others wait, first come, first served. */
export class Turns {
  readonly #mostAtOnce: number;
  readonly #queues = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(mostAtOnce: number) {
    this.#mostAtOnce = mostAtOnce;
  }

  /** Waits for a turn in the queue; it ends with the block of `using`. */
  async take(name: string): Promise<Disposable> {
    const queue = this.#queues.get(name) ?? { running: 0, waiting: [] };
    this.#queues.set(name, queue);
    if (queue.running < this.#mostAtOnce) queue.running++;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    return {
      [Symbol.dispose]: () => {
        const next = queue.waiting.shift();
        if (next) return next();
        queue.running--;
        if (queue.running === 0) this.#queues.delete(name);
      },
    };
  }
}
