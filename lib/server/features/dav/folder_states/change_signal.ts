import { hasUnread } from "../../../core/disk/inotify.ts";

/** In place of a queue, where the system has none. */
const noQueue = -1;

/**
 * Tells a serving thread whether anything may have changed in the watched folders of a Worker,
 * through memory of both: no message, so an answer that still holds does not wake the Worker.
 */
export class ChangeSignal {
  readonly memory: SharedArrayBuffer;
  /** The number of changes, and the queue. */
  readonly #numbers: Int32Array<SharedArrayBuffer>;

  /** @param memory that of the other thread; new unless given */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    this.#numbers = new Int32Array(this.memory);
    if (!memory) this.#numbers[1] = noQueue;
  }

  /** The number of changes so far, which may start again after 4,294,967,296. */
  get count(): number {
    return Atomics.load(this.#numbers, 0);
  }

  /** Takes note of a change. */
  raise(): void {
    Atomics.add(this.#numbers, 0, 1);
  }

  /** @param queue in which changes wait for the Worker; null where there is none */
  set queue(queue: number | null) {
    Atomics.store(this.#numbers, 1, queue ?? noQueue);
  }

  /** Whether nothing has changed since a count, not even what the Worker has yet to read. */
  isStill(count: number): boolean {
    // First the queue: the Worker empties it before it counts.
    const queue = Atomics.load(this.#numbers, 1);
    return queue !== noQueue && !hasUnread(queue) && this.count === count;
  }
}
