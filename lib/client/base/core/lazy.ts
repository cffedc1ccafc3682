import { type ReadonlySignal, signal } from "@preact/signals";

/** The time after which a load counts as failed, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** `loading`: not requested yet, or under way; `failed`: call {@linkcode Lazy.load} to retry. */
export type LazyState<T> =
  | { is: "loading" }
  | { is: "ready"; value: T }
  | { is: "failed" };

/** Code that is loaded when it is first needed, with the styles of late code, and then kept. */
export class Lazy<T> {
  readonly #import: () => Promise<T>;
  readonly #timeoutMs: number;
  readonly #state = signal<LazyState<T>>({ is: "loading" });
  #loading: Promise<T | null> | null = null;

  /** Whether it is loaded. */
  readonly state: ReadonlySignal<LazyState<T>> = this.#state;

  /**
   * @param load imports the module; static string literals only, so that the bundler sees it
   * @param timeoutMs how long the load may take; two minutes by default
   */
  constructor(load: () => Promise<T>, timeoutMs = TIMEOUT_MS) {
    this.#import = load;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Loads it once; concurrent calls share one request, and a call after a failure retries.
   *
   * @returns null when it cannot be loaded
   */
  load(): Promise<T | null> {
    return this.#loading ??= this.#load();
  }

  async #load(): Promise<T | null> {
    this.#state.value = { is: "loading" };
    const fail = () => {
      this.#loading = null;
      this.#state.value = { is: "failed" };
    };
    const timer = setTimeout(fail, this.#timeoutMs);
    try {
      const [value] = await Promise.all([this.#import(), lateStyles()]);
      this.#state.value = { is: "ready", value };
      return value;
    } catch {
      fail();
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Wraps an `import()` whose module is loaded when it is first needed, see {@linkcode Lazy}. */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  return new Lazy(load);
}

/** The element of the first style sheet, which names the late one. */
const FIRST_SHEET = "link[data-late]";

let loading: Promise<void> | undefined;

/**
 * Loads the styles of late code, once: code that shows something waits for them, so that nothing is
 * seen without its styles. Outside of a page there are none.
 *
 * @throws Error when they cannot be loaded; the next call tries again
 */
function lateStyles(): Promise<void> {
  const first = globalThis.document?.querySelector<HTMLLinkElement>(FIRST_SHEET);
  return first ? loading ??= load(first) : Promise.resolve();
}

async function load(first: HTMLLinkElement): Promise<void> {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = first.dataset.late ?? "";
  try {
    await new Promise((resolve, reject) => {
      sheet.onload = resolve;
      sheet.onerror = () => reject(new Error(`Cannot load "${sheet.href}"`));
      // Before styles of the branding, which may override any.
      first.after(sheet);
    });
  } catch (error) {
    sheet.remove();
    loading = undefined;
    throw error;
  }
}
