import { type ReadonlySignal, signal } from "@preact/signals";
import type { Listens } from "../core/listens.ts";
import { pause } from "../core/pause.ts";
import { when } from "../core/when.ts";

/** How long the first rest between two attempts is, and the longest, in milliseconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Statuses of a server that is stopping or starting, and of proxies before one that is not there. */
const AWAY = new Set([0, 502, 503, 504]);

/** Whether a status (0 for no answer) says that the server is away for a while. */
export function isAway(status: number): boolean {
  return AWAY.has(status);
}

/** Whether the server can be reached. Once a call fails it is tried again and again until it can. */
export class Connection {
  readonly #isLost = signal(false);
  readonly #reaches: () => Promise<boolean>;
  readonly #window: Listens | null;
  #seeking: Promise<void> | null = null;

  /**
   * @param reaches asks the server for a sign of life
   * @param window which hears when the network comes back; null on the server
   */
  constructor(reaches: () => Promise<boolean>, window: Listens | null = null) {
    this.#reaches = reaches;
    this.#window = window;
    window?.addEventListener("offline", () => this.heed(0));
  }

  /** Whether it can't be reached now. */
  get isLost(): ReadonlySignal<boolean> {
    return this.#isLost;
  }

  /** Told how each call was answered: the HTTP status, 0 for not at all. */
  heed(status: number): void {
    if (isAway(status)) this.#seeking ??= this.#seek().finally(() => this.#seeking = null);
  }

  /** Waits until the server can be reached; false once it is given up. */
  async back(gaveUp?: AbortSignal): Promise<boolean> {
    this.heed(0);
    await Promise.race([this.#seeking, when(this.#isLost, () => false, gaveUp)]);
    return !gaveUp?.aborted;
  }

  async #seek(): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !await this.#reaches(); wait *= 2) {
      this.#isLost.value = true;
      const sooner = new AbortController();
      const onOnline = () => sooner.abort();
      this.#window?.addEventListener("online", onOnline);
      await pause(Math.min(wait, LONGEST_WAIT_MS), sooner.signal);
      this.#window?.removeEventListener("online", onOnline);
    }
    this.#isLost.value = false;
  }
}
