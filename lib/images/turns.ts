import { DomainError } from "../errors.ts";

/** How much may run and wait at a time. */
export interface TurnLimits {
  /** How many tasks run at a time. */
  lanes: number;
  /** How much all that run may weigh together, in bytes; a heavier one runs alone. */
  weight: number;
  /** How many tasks of one owner may wait. */
  waiting: number;
}

interface Waiting {
  weight: number;
  start(): void;
}

/**
 * Lets tasks run in turns: a few at a time, not too heavy ones together, and the owners of tasks
 * one after the other, so that nobody waits for all the pictures of somebody else's folder.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** The tasks that wait, by owner; the owner whose turn it is comes first. */
  readonly #queues = new Map<string, Waiting[]>();
  #running = 0;
  #weight = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a task when its turn comes.
   *
   * @param owner for whom
   * @param weight in bytes
   * @param signal takes the task out of the queue; one that runs goes on
   * @throws DomainError `throttled` when too many of the owner's wait; the signal's reason
   */
  async run<T>(
    owner: string,
    weight: number,
    task: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    await this.#turn(owner, weight, signal);
    try {
      return await task();
    } finally {
      this.#running--;
      this.#weight -= weight;
      this.#startNext();
    }
  }

  #turn(owner: string, weight: number, signal?: AbortSignal): Promise<void> {
    const queue = this.#queues.get(owner) ?? [];
    if (queue.length >= this.#limits.waiting) {
      const message = "Cannot make a preview: too many others are being made";
      throw new DomainError("throttled", message, 2);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { weight, start: resolve };
    queue.push(waiting);
    this.#queues.set(owner, queue);
    const leave = () => {
      if (this.#remove(owner, waiting)) reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#startNext();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  #startNext(): void {
    for (const [owner, [next]] of this.#queues) {
      if (!next || !this.#hasRoom(next.weight)) return;
      this.#remove(owner, next);
      this.#running++;
      this.#weight += next.weight;
      next.start();
    }
  }

  #hasRoom(weight: number): boolean {
    const { lanes, weight: most } = this.#limits;
    return this.#running === 0 ||
      this.#running < lanes && this.#weight + weight <= most;
  }

  /** Takes a task out of its queue; its owner's next one comes after those of the others. */
  #remove(owner: string, waiting: Waiting): boolean {
    const queue = this.#queues.get(owner) ?? [];
    const index = queue.indexOf(waiting);
    if (index === -1) return false;
    queue.splice(index, 1);
    if (index === 0 || queue.length === 0) this.#queues.delete(owner);
    if (index === 0 && queue.length > 0) this.#queues.set(owner, queue);
    return true;
  }
}
