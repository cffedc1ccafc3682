import type { DomainError } from "../../shared/errors.ts";

/** How much of something there is for tasks that run side by side. */
export interface Room {
  /** Whether there is enough of it for one more task. */
  has(owner: string, weight: number): boolean;
  take(owner: string, weight: number): void;
  give(owner: string, weight: number): void;
  /**
   * Whether all wait while the next in turn does, so that heavy tasks get their turn; others go past
   * it otherwise.
   */
  readonly isStrict: boolean;
}

/** How tasks wait. */
export interface TurnOptions {
  room: Room;
  /** How many tasks of one owner may wait, and how one more is refused; any number unless given. */
  waiting?: { most: number; refuse(): DomainError };
}

interface Waiting {
  weight: number;
  start(): void;
}

/**
 * Lets tasks run in turns: as many at a time as there is room for, and the owners of tasks one after
 * the other, so that nobody waits for all the pictures of somebody else's folder.
 */
export class Turns {
  readonly #options: TurnOptions;
  /** The tasks that wait, by owner; the owner whose turn it is comes first. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /**
   * Runs a task when its turn comes.
   *
   * @param owner for whom
   * @param weight in bytes
   * @param signal takes the task out of the queue; one that runs goes on
   * @throws DomainError when too many of the owner's wait; the signal's reason
   */
  async run<T>(
    owner: string,
    weight: number,
    task: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.begin(owner, weight, signal);
    try {
      return await task();
    } finally {
      this.end(owner, weight);
    }
  }

  /**
   * Waits for a turn, which lasts until {@link end}.
   *
   * @throws DomainError, and the signal's reason, as {@link run}
   */
  async begin(owner: string, weight: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const queue = this.#queues.get(owner) ?? [];
    const { waiting: limit } = this.#options;
    if (limit && queue.length >= limit.most) throw limit.refuse();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { weight, start: resolve };
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
  end(owner: string, weight: number): void {
    this.#options.room.give(owner, weight);
    this.#startNext();
  }

  #startNext(): void {
    const { room } = this.#options;
    for (const [owner, [next]] of this.#queues) {
      if (!next) continue;
      if (!room.has(owner, next.weight)) {
        if (room.isStrict) return;
        continue;
      }
      this.#remove(owner, next);
      room.take(owner, next.weight);
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
