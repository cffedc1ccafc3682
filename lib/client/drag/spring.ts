/** Opens what a pointer rests on for a while. */
export class Spring<T> {
  readonly #open: (target: T) => void;
  readonly #restMs: number;
  #target: T | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param open is told once of each rest
   * @param restMs how long a rest is, in milliseconds
   */
  constructor(open: (target: T) => void, restMs: number) {
    this.#open = open;
    this.#restMs = restMs;
  }

  /** What the pointer is over; null for nothing that opens. */
  get target(): T | null {
    return this.#target;
  }

  /** Says what the pointer is over by now. */
  over(target: T | null): void {
    if (target === this.#target) return;
    clearTimeout(this.#timer);
    this.#target = target;
    if (target !== null) this.#timer = setTimeout(() => this.#open(target), this.#restMs);
  }
}
