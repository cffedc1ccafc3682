import { type ReadonlySignal, signal } from "@preact/signals";

/** How long a part may take to come. */
const LIMIT_MS = 120_000;

/** `waiting`: nobody wanted it yet, or it is on its way; `failed`: want it again to try again. */
export type LateState<Part> =
  | { is: "waiting" }
  | { is: "ready"; part: Part }
  | { is: "failed" };

/** A part of the page that is loaded when it is first wanted, and then kept. */
export class LatePart<Part> {
  readonly #load: () => Promise<Part>;
  readonly #limitMs: number;
  readonly #now = signal<LateState<Part>>({ is: "waiting" });
  #loading = false;

  /**
   * @param load imports the part
   * @param limitMs how long that may take; two minutes unless given
   */
  constructor(load: () => Promise<Part>, limitMs = LIMIT_MS) {
    this.#load = load;
    this.#limitMs = limitMs;
  }

  /** Whether it is there. */
  get now(): ReadonlySignal<LateState<Part>> {
    return this.#now;
  }

  /** Loads it, unless it is there or on its way. */
  want(): void {
    if (this.#loading || this.#now.peek().is === "ready") return;
    this.#loading = true;
    this.#now.value = { is: "waiting" };
    const settle = (state: LateState<Part>) => {
      clearTimeout(timer);
      this.#loading = false;
      this.#now.value = state;
    };
    const timer = setTimeout(() => settle({ is: "failed" }), this.#limitMs);
    this.#load().then(
      (part) => settle({ is: "ready", part }),
      () => settle({ is: "failed" }),
    );
  }
}
