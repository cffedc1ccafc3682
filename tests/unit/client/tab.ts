import type { BrowserWindow } from "../../../lib/client/base/navigation/navigation.ts";

/** What of a browser's tab navigation touches: a history that goes back, clicks, storage. */
export class Tab extends EventTarget implements BrowserWindow {
  readonly location: { href: string };
  readonly document;
  readonly history: BrowserWindow["history"];
  readonly sessionStorage;
  readonly entries: { state: unknown; href: string }[];
  readonly clicks = new Set<(event: Event) => void>();
  #position = 0;

  constructor(href: string, stored = new Map<string, string>()) {
    super();
    this.location = { href };
    this.entries = [{ state: null, href }];
    const set = (state: unknown, to: string | URL | null | undefined) => {
      this.location.href = new URL(String(to), this.location.href).href;
      this.entries[this.#position] = { state, href: this.location.href };
    };
    const stateNow = () => this.entries[this.#position]?.state;
    this.history = {
      scrollRestoration: "auto",
      get state() {
        return stateNow();
      },
      pushState: (state, _title, to) => {
        this.entries.splice(++this.#position);
        set(state, to);
      },
      replaceState: (state, _title, to) => set(state, to),
      go: (by = 0) => queueMicrotask(() => this.travel(by)),
    };
    this.document = {
      title: "",
      addEventListener: (_type: string, listener: unknown) =>
        void this.clicks.add(listener as (event: Event) => void),
      removeEventListener: (_type: string, listener: unknown) =>
        void this.clicks.delete(listener as (event: Event) => void),
    };
    this.sessionStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
  }

  /** The back button; with a positive number the forward button. */
  travel(by: number): void {
    this.#position += by;
    this.location.href = this.entries[this.#position]?.href ?? "";
    this.dispatchEvent(new Event("popstate"));
  }
}
