import { type ReadonlySignal, signal } from "@preact/signals";
import { type Sorting, type ViewMode, viewModes } from "../../shared/api_types.ts";
import type { Result } from "../../shared/result.ts";

/** The view mode of folders. */
export class ViewModes {
  readonly #mode = signal<ViewMode>("list");
  readonly #save: (mode: ViewMode) => void;

  /** The current view mode. */
  readonly mode: ReadonlySignal<ViewMode> = this.#mode;

  /**
   * @param options.initial the view mode in the user's account
   * @param options.save stores the user's choice
   */
  constructor(options: { initial: ViewMode | undefined; save: (mode: ViewMode) => void }) {
    if (options.initial) this.#mode.value = options.initial;
    this.#save = options.save;
  }

  /** The next view mode. */
  get next(): ViewMode {
    const at = viewModes.indexOf(this.#mode.value);
    return viewModes[(at + 1) % viewModes.length] ?? "list";
  }

  /** Sets the view mode. */
  choose(mode: ViewMode): void {
    this.#mode.value = mode;
    this.#save(mode);
  }
}

/** The preferences that the files page saves in the user's account. */
export interface Preference {
  viewMode?: ViewMode;
  sorting?: Sorting;
}

/**
 * Saves preferences in the account, one call at a time; changes during a call are sent with the
 * next. Failures are ignored: the choice still holds on this page.
 */
export class Preferences {
  readonly #send: (fields: Preference) => Promise<Result<void>>;
  #waiting: Preference = {};
  #sending = false;

  /** @param send changes the account */
  constructor(send: (fields: Preference) => Promise<Result<void>>) {
    this.#send = send;
  }

  /** Saves some fields. */
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
