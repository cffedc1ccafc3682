import { type ReadonlySignal, signal } from "@preact/signals";
import { type EventSourceLike, when } from "../core/when.ts";
import { delay } from "../../../shared/delay.ts";

/** The first and the longest delay between two attempts, in milliseconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Statuses of a server that is stopping or starting, and of its proxies. */
const AWAY = new Set([0, 502, 503, 504]);

/** Whether a status (0 for no answer) means that the server is temporarily unavailable. */
export function isAway(status: number): boolean {
  return AWAY.has(status);
}

/** Whether the server can be reached. After a failed call it is polled until it responds. */
export class Connection {
  readonly #isLost = signal(false);
  readonly #reaches: () => Promise<boolean>;
  readonly #window: EventSourceLike | null;
  #seeking: Promise<void> | null = null;

  /** Whether it is unreachable now. */
  readonly isLost: ReadonlySignal<boolean> = this.#isLost;

  /**
   * @param reaches checks whether the server responds
   * @param window for its `online` and `offline` events; null on the server
   */
  constructor(reaches: () => Promise<boolean>, window: EventSourceLike | null = null) {
    this.#reaches = reaches;
    this.#window = window;
    window?.addEventListener("offline", () => this.observeStatus(0));
  }

  /** Reports the HTTP status of a response; 0 for no response. */
  observeStatus(status: number): void {
    if (isAway(status)) this.#seeking ??= this.#seek().finally(() => this.#seeking = null);
  }

  /** Waits until the server can be reached; false if aborted. */
  async back(gaveUp?: AbortSignal): Promise<boolean> {
    this.observeStatus(0);
    await Promise.race([this.#seeking, when(this.#isLost, () => false, gaveUp)]);
    return !gaveUp?.aborted;
  }

  async #seek(): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !await this.#reaches(); wait *= 2) {
      this.#isLost.value = true;
      const sooner = new AbortController();
      const onOnline = () => sooner.abort();
      this.#window?.addEventListener("online", onOnline);
      await delay(Math.min(wait, LONGEST_WAIT_MS), sooner.signal);
      this.#window?.removeEventListener("online", onOnline);
    }
    this.#isLost.value = false;
  }
}
