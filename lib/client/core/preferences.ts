import type { Sorting, ViewMode } from "../../shared/api_types.ts";
import type { Result } from "../api/result.ts";

/** What the files page keeps in the user's account. */
export interface Preference {
  viewMode?: ViewMode;
  sorting?: Sorting;
}

/**
 * Keeps in the account what the user prefers, one call at a time: what is chosen meanwhile goes
 * with the next. A choice that can't be kept holds on this page all the same, so nobody is told.
 */
export class Preferences {
  readonly #send: (fields: Preference) => Promise<Result<void>>;
  #waiting: Preference = {};
  #sending = false;

  /** @param send changes the account */
  constructor(send: (fields: Preference) => Promise<Result<void>>) {
    this.#send = send;
  }

  /** Keeps some fields. */
  async save(fields: Preference): Promise<void> {
    Object.assign(this.#waiting, fields);
    if (this.#sending) return;
    this.#sending = true;
    while (Object.keys(this.#waiting).length > 0) {
      const sent = this.#waiting;
      this.#waiting = {};
      await this.#send(sent);
    }
    this.#sending = false;
  }
}
