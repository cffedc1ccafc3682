import { DomainError } from "../../../shared/errors.ts";

/** How long the store may take for one read, one write and a whole list, in milliseconds. */
export const timeoutMs = { read: 3_000, write: 5_000, list: 20_000 };

/** Extra time for an answer that has come while this thread was busy, in milliseconds. */
const graceMs = 50;

/** When a refused client should ask again, in seconds. */
const retryAfter = 2;

/**
 * The refusal of a call that the store does not answer. A write may have been made nevertheless, or
 * be made when the store is back: its client cannot tell.
 */
class StoreAway extends DomainError {
  constructor() {
    super("busy", "Cannot reach the store: it does not answer; try again in a moment", retryAfter);
  }
}

/** Whether an error says that the store is away. */
export function isStoreAway(error: unknown): error is DomainError {
  return error instanceof StoreAway;
}

/** Whether an error says that the store cannot be used now: it is away, or of a newer program. */
export function isStoreUnusable(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === "busy";
}

/** Reads what an answer can do without: while the store is away there is something instead. */
export async function orWhenUnavailable<T>(read: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isStoreAway(error)) return instead;
    throw error;
  }
}

/**
 * The errors that the client of KV Connect throws for a server that is there and does not work;
 * there is no class or code for it. It retries by itself, and for ever, when it cannot connect.
 */
const clientFaults =
  /metadata endpoint|metadata response|Database is closed|failed to read response body|\(status=(?!400)/;

/**
 * Bounds the time of calls to a store on the network, and refuses further ones at once while it is
 * away (a circuit breaker): a client whose calls hang would otherwise hold every request.
 */
export class CircuitBreaker {
  readonly #onChange: (isAway: boolean) => void;
  readonly #waiting = new Set<() => void>();
  #isAway = false;

  /** @param onChange called when the store goes away, and when it is back */
  constructor(onChange: (isAway: boolean) => void) {
    this.#onChange = onChange;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Sets whether the store is away; when it goes, the calls that wait for it are refused. */
  set isAway(isAway: boolean) {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway) { for (const giveUp of [...this.#waiting]) giveUp(); }
    this.#onChange(isAway);
  }

  /**
   * Makes a call. A late answer tells that the store is back.
   *
   * @param ms after which the store counts as away
   * @throws {DomainError} `busy` while the store is away; and what the call throws
   */
  async run<T>(call: () => Promise<T>, ms: number): Promise<T> {
    if (this.#isAway) throw new StoreAway();
    const called = call();
    called.then(() => this.isAway = false, () => {});
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(new StoreAway());
    this.#waiting.add(giveUp);
    let timer = setTimeout(() => timer = setTimeout(() => this.isAway = true, graceMs), ms);
    try {
      return await Promise.race([called, refused]);
    } catch (error) {
      if (!(error instanceof Error) || !clientFaults.test(error.message)) throw error;
      this.isAway = true;
      throw new StoreAway();
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(giveUp);
    }
  }
}
