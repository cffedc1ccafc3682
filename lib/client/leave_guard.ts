/** Somebody who would lose something if the present place were left. */
export interface Holder {
  /** Whether something would be lost now. */
  holds: () => boolean;
  /** Asks the user; true when the place may be left, and nothing is held any more. */
  ask: () => Promise<boolean>;
}

/** Stands before every way out of a place: what is unsaved there is asked about first. */
export class LeaveGuard {
  #holder: Holder | null = null;
  #asking = false;

  /** Nothing would be lost. */
  get isFree(): boolean {
    return this.#holder?.holds() !== true;
  }

  /**
   * Has somebody asked from now on; there is one at a time.
   *
   * @returns the way to stop
   */
  hold(holder: Holder): () => void {
    this.#holder = holder;
    return () => {
      if (this.#holder === holder) this.#holder = null;
    };
  }

  /** Whether the place may be left. While the user is being asked, no other attempt is heard. */
  async mayLeave(): Promise<boolean> {
    if (this.isFree) return true;
    if (this.#asking) return false;
    this.#asking = true;
    try {
      return await this.#holder?.ask() ?? true;
    } finally {
      this.#asking = false;
    }
  }
}
