import type { DomainError } from "../../shared/errors.ts";

/** How much of something there is for tasks that run side by side. */
export interface Capacity {
  /** Whether there is enough of it for one more task. */
  has(owner: string, cost: number): boolean;
  take(owner: string, cost: number): void;
  give(owner: string, cost: number): void;
  /**
   * Whether all wait while the next in the queue does, so that costly tasks are not starved; others
   * go past it otherwise.
   */
  readonly isStrict: boolean;
}

/** How tasks wait. */
export interface FairQueueOptions {
  capacity: Capacity;
  /** How many tasks of one owner may wait, and how one more is refused; any number unless given. */
  waiting?: { most: number; refuse(): DomainError };
}

interface Waiting {
  cost: number;
  start(): void;
}

/**
 * The queue of the server: as many tasks run at a time as there is capacity for, and the owners of
 * tasks take turns, so that one user does not wait for all the pictures of another one's folder.
 *
 * One class of our own, as `p-queue` knows neither owners nor costs, nor bounds how many wait.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** The tasks that wait, by owner; the owner whose turn it is comes first. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a task when its turn comes.
   *
   * @param owner for whom
   * @param cost in the unit of the capacity
   * @param signal takes the task out of the queue; one that runs goes on
   * @throws DomainError when too many of the owner's wait; the signal's reason
   */
  async run<T>(
    owner: string,
    cost: number,
    task: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.acquire(owner, cost, signal);
    try {
      return await task();
    } finally {
      this.release(owner, cost);
    }
  }

  /**
   * Waits for a turn, which lasts until {@link release}.
   *
   * @throws DomainError, and the signal's reason, as {@link run}
   */
  async acquire(owner: string, cost: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const queue = this.#queues.get(owner) ?? [];
    const { waiting: limit } = this.#options;
    if (limit && queue.length >= limit.most) throw limit.refuse();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { cost, start: resolve };
    queue.push(waiting);
    this.#queues.set(owner, queue);
    const leave = () => {
      if (!this.#remove(owner, waiting)) return;
      reject(signal?.reason);
      this.#startNext();
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#startNext();
    await promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Makes room for others. */
  release(owner: string, cost: number): void {
    this.#options.capacity.give(owner, cost);
    this.#startNext();
  }

  #startNext(): void {
    const { capacity } = this.#options;
    for (const [owner, [next]] of this.#queues) {
      if (!next) continue;
      if (!capacity.has(owner, next.cost)) {
        if (capacity.isStrict) return;
        continue;
      }
      this.#remove(owner, next);
      capacity.take(owner, next.cost);
      next.start();
    }
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

/** A few tasks at a time, and not too costly ones together; one beyond that runs alone. */
export class Concurrency implements Capacity {
  readonly isStrict = true;
  readonly #limit: number;
  readonly #mostCost: number;
  #running = 0;
  #cost = 0;

  /**
   * @param limit how many tasks run at a time
   * @param mostCost the sum of the costs of all that run
   */
  constructor(limit: number, mostCost = Infinity) {
    this.#limit = limit;
    this.#mostCost = mostCost;
  }

  has(_owner: string, cost: number): boolean {
    return this.#running === 0 ||
      this.#running < this.#limit && this.#cost + cost <= this.#mostCost;
  }

  take(_owner: string, cost: number): void {
    this.#running++;
    this.#cost += cost;
  }

  give(_owner: string, cost: number): void {
    this.#running--;
    this.#cost -= cost;
  }
}

/** So much for each owner, whatever the others take. */
export class CostPerOwner implements Capacity {
  readonly isStrict = false;
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** @param most the sum of the costs of one owner's tasks that run */
  constructor(most: number) {
    this.#most = most;
  }

  has(owner: string, cost: number): boolean {
    return this.takenBy(owner) + cost <= this.#most;
  }

  take(owner: string, cost: number): void {
    const taken = this.takenBy(owner) + cost;
    if (taken > 0) this.#taken.set(owner, taken);
    else this.#taken.delete(owner);
  }

  give(owner: string, cost: number): void {
    this.take(owner, -cost);
  }

  takenBy(owner: string): number {
    return this.#taken.get(owner) ?? 0;
  }
}
