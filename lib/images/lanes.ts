import type { Room } from "./turns.ts";

/** Each takes a processor and some memory. */
const mostLanes = 8;

/**
 * How many previews one serving thread makes at a time: together with the others one fewer than
 * there are processors, but at least two, so that one slow picture does not hold up all others.
 *
 * @param workers the number of serving threads
 */
export function lanesFor(workers: number, processors = navigator.hardwareConcurrency): number {
  const together = Math.min(mostLanes, Math.max(2, processors - 1));
  return Math.max(1, Math.floor(together / workers));
}

/** Room for a few tasks at a time, and not for too heavy ones together; a heavier one runs alone. */
export class Lanes implements Room {
  readonly isStrict = true;
  readonly #lanes: number;
  readonly #most: number;
  #running = 0;
  #weight = 0;

  /**
   * @param lanes how many tasks run at a time
   * @param most how much all that run may weigh together, in bytes
   */
  constructor(lanes: number, most: number) {
    this.#lanes = lanes;
    this.#most = most;
  }

  has(_owner: string, weight: number): boolean {
    return this.#running === 0 ||
      this.#running < this.#lanes && this.#weight + weight <= this.#most;
  }

  take(_owner: string, weight: number): void {
    this.#running++;
    this.#weight += weight;
  }

  give(_owner: string, weight: number): void {
    this.#running--;
    this.#weight -= weight;
  }
}
