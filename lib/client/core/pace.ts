/** The shortest time that a speed is told from, in milliseconds. */
const SHORTEST_MS = 500;

/** How much the latest stretch counts, so that a speed is calm and yet of the moment. */
const LATEST = 0.35;

/** How fast something goes, from how far it has got now and then. */
export class Pace {
  #at = 0;
  #done = -1;
  #rate: number | null = null;

  /** Tells how far it is, in bytes. Less than before begins anew. */
  note(done: number, now = performance.now()): void {
    if (this.#done < 0 || done < this.#done) {
      this.#rate = null;
      this.#start(done, now);
      return;
    }
    const passed = now - this.#at;
    if (passed < SHORTEST_MS) return;
    const latest = (done - this.#done) * 1000 / passed;
    this.#rate = this.#rate === null ? latest : this.#rate + (latest - this.#rate) * LATEST;
    this.#start(done, now);
  }

  /** Bytes a second; null before that can be told. */
  get rate(): number | null {
    return this.#rate;
  }

  /** Seconds until that many bytes more are through; null when that can't be told. */
  left(bytes: number): number | null {
    return this.#rate ? Math.ceil(bytes / this.#rate) : null;
  }

  #start(done: number, now: number): void {
    this.#at = now;
    this.#done = done;
  }
}
