import { type ReadonlySignal, signal } from "@preact/signals";
import { type Sorting, type ViewMode, viewModes } from "../api_types.ts";
import type { Result } from "./result.ts";

/** How folders are shown. */
export class ViewModes {
  readonly #mode = signal<ViewMode>("list");
  readonly #save: (mode: ViewMode) => void;

  /** How folders are shown now. */
  readonly mode: ReadonlySignal<ViewMode> = this.#mode;

  /**
   * @param options.initial as the user's account says
   * @param options.save keeps the user's choice
   */
  constructor(options: { initial: ViewMode | undefined; save: (mode: ViewMode) => void }) {
    if (options.initial) this.#mode.value = options.initial;
    this.#save = options.save;
  }

  /** The one that comes after the present one. */
  get next(): ViewMode {
    const at = viewModes.indexOf(this.#mode.value);
    return viewModes[(at + 1) % viewModes.length] ?? "list";
  }

  /** Shows folders in a certain way from now on. */
  choose(mode: ViewMode): void {
    this.#mode.value = mode;
    this.#save(mode);
  }
}

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
