import { type ReadonlySignal, signal } from "@preact/signals";
import type { TokenUser, ViewMode } from "../api_types.ts";

/** The ways to show a folder, in the order in which the button goes through them. */
export const VIEW_MODES: readonly ViewMode[] = ["list", "mosaic", "mosaic gallery"];

/** Where the choice is kept: `localStorage`. */
type Keeps = Pick<Storage, "getItem" | "setItem">;

/** How folders are shown, for each user: at first as the account says, then as it was last chosen. */
export class ViewModes {
  readonly #mode = signal<ViewMode>("list");
  readonly #user: Pick<TokenUser, "id" | "viewMode"> | null;
  readonly #storage: () => Keeps | undefined;

  /** @param options.storage where the choice is kept, if anywhere; a browser that forbids it throws */
  constructor(options: {
    user: Pick<TokenUser, "id" | "viewMode"> | null;
    storage: () => Keeps | undefined;
  }) {
    this.#user = options.user;
    this.#storage = options.storage;
    this.#mode.value = options.user?.viewMode ?? "list";
  }

  /** How folders are shown. */
  get mode(): ReadonlySignal<ViewMode> {
    return this.#mode;
  }

  /** The one that comes after the present one. */
  get next(): ViewMode {
    const at = VIEW_MODES.indexOf(this.#mode.value);
    return VIEW_MODES[(at + 1) % VIEW_MODES.length] ?? "list";
  }

  /** Shows folders in a certain way from now on. */
  choose(mode: ViewMode): void {
    this.#mode.value = mode;
    this.#save(mode);
  }

  /** Goes back to what was chosen; once the page has begun as the server rendered it. */
  restore(): void {
    const kept = this.#recall();
    if (kept) this.#mode.value = kept;
  }

  #recall(): ViewMode | undefined {
    try {
      const kept = this.#storage()?.getItem(this.#key);
      return VIEW_MODES.find((mode) => mode === kept);
    } catch {
      return undefined;
    }
  }

  #save(mode: ViewMode): void {
    try {
      this.#storage()?.setItem(this.#key, mode);
    } catch {
      // Where nothing can be kept, the next page begins as the account says.
    }
  }

  get #key(): string {
    return `cubby-view-${this.#user?.id ?? 0}`;
  }
}
