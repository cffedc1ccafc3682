import type { DomainError } from "../../../shared/errors.ts";

/** The capacity of something that concurrent tasks share. */
export interface Capacity {
  /** Whether there is enough for one more task. */
  has(owner: string, cost: number): boolean;
  take(owner: string, cost: number): void;
  give(owner: string, cost: number): void;
  /**
   * Whether all others wait while the next in the queue does, so that costly tasks do not starve;
   * otherwise others overtake it.
   */
  readonly isStrict: boolean;
}

/** Options of waiting. */
export interface FairQueueOptions {
  capacity: Capacity;
  /** Limit of waiting tasks of one owner, and the error beyond it; unlimited by default. */
  waiting?: { max: number; refuse(): DomainError };
}

interface Waiting {
  cost: number;
  start(): void;
}

/**
 * The queue of the server: runs as many tasks at a time as the capacity allows, round-robin between
 * owners, so that one user does not wait for all the pictures of another one's folder.
 *
 * Own code, as `p-queue` has neither owners nor costs, nor a limit of waiting tasks.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** Waiting tasks by owner; the next owner comes first. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a task when its turn comes.
   *
   * @param owner of the task, such as a user
   * @param cost in the unit of the capacity
   * @param signal removes a waiting task from the queue; a running one continues
   * @throws DomainError when too many of the owner's tasks wait; the signal's reason
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
   * Waits for a turn; it lasts until {@link release}.
   *
   * @throws DomainError, and the signal's reason, as {@link run}
   */
  async acquire(owner: string, cost: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const queue = this.#queues.get(owner) ?? [];
    const { waiting: limit } = this.#options;
    if (limit && queue.length >= limit.max) throw limit.refuse();
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

  /** Takes a turn as {@link acquire} does, if no task waits and there is enough: otherwise none. */
  tryAcquire(owner: string, cost: number): boolean {
    const { capacity } = this.#options;
    if (this.#queues.size > 0 || !capacity.has(owner, cost)) return false;
    capacity.take(owner, cost);
    return true;
  }

  /** How many owners come before one that waits, and itself: 1 for the next one, 0 without a task. */
  placeOf(owner: string): number {
    return [...this.#queues.keys()].indexOf(owner) + 1;
  }

  /** Ends a turn, freeing its capacity. */
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

  /** Removes a task from its queue; its owner moves behind the others. */
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

/** A few tasks at a time, with a limited total cost; a task beyond that runs alone. */
export class Concurrency implements Capacity {
  readonly isStrict = true;
  readonly #limit: number;
  readonly #maxCost: number;
  #running = 0;
  #cost = 0;

  /**
   * @param limit maximum number of running tasks
   * @param maxCost maximum total cost of running tasks
   */
  constructor(limit: number, maxCost = Infinity) {
    this.#limit = limit;
    this.#maxCost = maxCost;
  }

  has(_owner: string, cost: number): boolean {
    return this.#running === 0 ||
      this.#running < this.#limit && this.#cost + cost <= this.#maxCost;
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

/** A separate capacity for each owner. */
export class CostPerOwner implements Capacity {
  readonly isStrict = false;
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  /** @param max maximum total cost of one owner's running tasks */
  constructor(max: number) {
    this.#max = max;
  }

  has(owner: string, cost: number): boolean {
    return this.takenBy(owner) + cost <= this.#max;
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
