/** Somebody who would lose something if the present place were left. */
export interface Holder {
  /** Whether something would be lost now. */
  holds: () => boolean;
  /** Asks the user; true when the place may be left, and nothing is held any more. */
  ask: () => Promise<boolean>;
}

/** Stands before every way out of a place: what is unsaved there is asked about first. */
export class LeaveGuard {
  readonly #holders = new Set<Holder>();
  #asking = false;

  /** Nothing would be lost. */
  get isFree(): boolean {
    return !this.#held;
  }

  get #held(): Holder | undefined {
    return [...this.#holders].find((holder) => holder.holds());
  }

  /**
   * Has somebody asked from now on, after those who are asked already.
   *
   * @returns the way to stop
   */
  hold(holder: Holder): () => void {
    this.#holders.add(holder);
    return () => void this.#holders.delete(holder);
  }

  /** Whether the place may be left. While the user is being asked, no other attempt is heard. */
  async mayLeave(): Promise<boolean> {
    if (this.#asking) return false;
    this.#asking = true;
    try {
      for (let held = this.#held; held; held = this.#held) {
        if (!await held.ask()) return false;
      }
      return true;
    } finally {
      this.#asking = false;
    }
  }

  /** Has nobody asked any more: the place is being left for good. */
  letGo(): void {
    this.#holders.clear();
  }
}
