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
  readonly #sheet: string | undefined;
  readonly #state = signal<LazyState<T>>({ is: "loading" });
  #loading: Promise<T | null> | null = null;

  /** Whether it is loaded. */
  readonly state: ReadonlySignal<LazyState<T>> = this.#state;

  /**
   * @param load imports the module; static string literals only, so that the bundler sees it
   * @param options.timeoutMs how long the load may take; two minutes by default
   * @param options.sheet the name of a style sheet that this code has for itself
   */
  constructor(
    load: () => Promise<T>,
    { timeoutMs = TIMEOUT_MS, sheet }: { timeoutMs?: number; sheet?: string } = {},
  ) {
    this.#import = load;
    this.#sheet = sheet;
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
      const [value] = await Promise.all([this.#import(), ...stylesFor(this.#sheet)]);
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

/**
 * Wraps an `import()` whose module is loaded when it is first needed, see {@linkcode Lazy}.
 *
 * @param sheet the name of a style sheet that this code has for itself
 */
export function lazy<T>(load: () => Promise<T>, sheet?: string): Lazy<T> {
  return new Lazy(load, { sheet });
}

/** The element of the first style sheet, which names the late one unless the page has that. */
const FIRST_SHEET = "link[rel=stylesheet]";

const loading = new Map<string, Promise<void>>();

/**
 * Loads the styles of late code, and a sheet of its own, once: code that shows something waits for
 * them, so that nothing is seen without its styles. Outside of a page there are none.
 *
 * @throws Error when they cannot be loaded; the next call tries again
 */
function stylesFor(own: string | undefined): Promise<void>[] {
  const first = globalThis.document?.querySelector<HTMLLinkElement>(FIRST_SHEET);
  if (!first) return [];
  const late = first.dataset.late;
  const addresses = [late, own && first.href.replace("/styles.css", `/${own}.css`)];
  return addresses.filter((address) => address !== undefined).map((address) => {
    const known = loading.get(address) ?? load(first, address);
    loading.set(address, known);
    return known;
  });
}

async function load(first: HTMLLinkElement, address: string): Promise<void> {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = address;
  try {
    await new Promise((resolve, reject) => {
      sheet.onload = resolve;
      sheet.onerror = () => reject(new Error(`Cannot load "${sheet.href}"`));
      // Before styles of the branding, which may override any.
      first.after(sheet);
    });
  } catch (error) {
    sheet.remove();
    loading.delete(address);
    throw error;
  }
}
