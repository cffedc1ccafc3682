import { type ReadonlySignal, signal } from "@preact/signals";
import { type ViewMode, viewModes } from "../../shared/api_types.ts";

/** How folders are shown. */
export class ViewModes {
  readonly #mode = signal<ViewMode>("list");
  readonly #save: (mode: ViewMode) => void;

  /**
   * @param options.initial as the user's account says
   * @param options.save keeps the user's choice
   */
  constructor(options: { initial: ViewMode | undefined; save: (mode: ViewMode) => void }) {
    if (options.initial) this.#mode.value = options.initial;
    this.#save = options.save;
  }

  /** How folders are shown now. */
  get mode(): ReadonlySignal<ViewMode> {
    return this.#mode;
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
