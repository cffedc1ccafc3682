import type { Room } from "./turns.ts";

/** Room for a few tasks at a time, and not for too heavy ones together; a heavier one runs alone. */
export class LaneRoom implements Room {
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
