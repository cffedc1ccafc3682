/** How many are remembered. */
const most = 5_000;

/**
 * Remembers which files have no preview, so that a broken or malicious one is not decoded again at
 * every visit of its folder. A file that changes has another key.
 */
export class Refusals {
  /** Reasons by key, the oldest first. */
  readonly #reasons = new Map<string, string>();

  add(key: string, reason: string): void {
    this.#reasons.set(key, reason);
    const [oldest] = this.#reasons.keys();
    if (this.#reasons.size > most && oldest !== undefined) this.#reasons.delete(oldest);
  }

  get(key: string): string | undefined {
    return this.#reasons.get(key);
  }
}
