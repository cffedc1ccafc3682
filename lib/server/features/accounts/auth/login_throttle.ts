import { DomainError } from "../../../../shared/errors.ts";
import { commitChange } from "../../../core/kv/commit.ts";
import { delay } from "../../../../shared/delay.ts";
import type { Store } from "../../../core/kv/store.ts";
import { Counter } from "../../../core/metrics/metrics.ts";
import {
  accountLimitsOf,
  addressLimitOf,
  attempts,
  type RateLimitKey,
  rateLimitKeysOf,
} from "./rate_limit_keys.ts";
import type { AlsoCount } from "./session.ts";
import {
  asOf,
  closedUntil,
  emptyState,
  isFull,
  type RateLimitState,
  withAttempt,
  withFailure,
  withoutAttempt,
  withRefusal,
} from "./rate_limit_state.ts";

const [right, wrong, refused] = ["right", "wrong", "throttled"].map((result) =>
  new Counter("cubby_password_checks_total", { result })
) as [Counter, Counter, Counter];

/** Timeout of a guess that waits while others, which may be right, hold every place, in ms. */
const timeoutMs = 20_000;

/** The longest pause between two retries, in milliseconds. */
const pauseMs = 100;

/** A password guess that was let through and must be settled. */
export interface Attempt {
  id: string;
  /** When it was let through, in milliseconds since 1970. */
  at: number;
  /** The rate limits that count it. */
  keys: RateLimitKey[];
}

/** A subject with its state in the store. */
interface Counted extends RateLimitKey {
  entry: Deno.KvEntryMaybe<RateLimitState>;
  state: RateLimitState;
}

/**
 * The throttle on guessing passwords, kept in the store, so that all threads and processes count
 * together. A guess takes its place *before* the password is compared: of a hundred concurrent
 * guesses five are compared, as of a hundred in a row. Unknown accounts count likewise.
 */
export class LoginThrottle {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #onFailure: (account: string, address: string) => Promise<void>;

  /**
   * @param now the clock, in milliseconds since 1970
   * @param onFailure called for each wrong guess
   */
  constructor(
    store: Store,
    now: () => number = () => Date.now(),
    onFailure: (account: string, address: string) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#store = store;
    this.#now = now;
    this.#onFailure = onFailure;
  }

  /**
   * Compares a password under the throttle: `compare` runs only if this guess is let through. Its
   * result null is a failure, anything else a success. When it throws, the guess is not counted.
   *
   * @param account the kind and name of the account: `user:anna`, `share:4fG…`
   * @param compare may name a further account of the guess: what was typed can be another name of it
   * @returns the result of `compare`
   * @throws DomainError `throttled` with `retryAfter`
   */
  async throttled<T>(
    account: string,
    address: string,
    compare: (alsoCount: AlsoCount) => Promise<T | null>,
  ): Promise<T | null> {
    const attempts = [await this.#checked(account, address)];
    let compared: T | null;
    try {
      compared = await compare(async (other) => {
        attempts.push(await this.#checked(other, address, accountLimitsOf(other, address)));
      });
    } catch (error) {
      for (const attempt of attempts) await this.withdrawn(attempt);
      throw error;
    }
    for (const attempt of attempts) {
      await (compared === null ? this.failed(attempt) : this.succeeded(attempt));
    }
    (compared === null ? wrong : right).add();
    if (compared === null) await this.#onFailure(account, address);
    return compared;
  }

  /**
   * Counts a wrong secret that is too long to be guessed, by its kind and the address alone: a
   * program that goes on with a dead one cannot lock users out.
   *
   * @throws DomainError `throttled` with `retryAfter`
   */
  async countWrong(kind: string, address: string): Promise<void> {
    await this.failed(await this.#checked(kind, address, [addressLimitOf(kind, address)]));
    wrong.add();
  }

  /**
   * Counts an operation that is open to visitors, by its kind and the client's address.
   *
   * @param limit the number of times within 15 minutes
   * @throws DomainError `throttled` with `retryAfter`
   */
  async countUse(kind: string, address: string, limit: number): Promise<void> {
    await this.failed(await this.#checked(kind, address, [addressLimitOf(kind, address, limit)]));
  }

  /**
   * Does what may be tried at will, but not fail at all the time; a rejection of `work` is a
   * failure.
   *
   * @throws DomainError `throttled` with `retryAfter`; what `work` throws
   */
  async limitFailures<T>(limit: RateLimitKey, work: () => Promise<T>): Promise<T> {
    const attempt = await this.check("", "", [limit]);
    try {
      const result = await work();
      await this.withdrawn(attempt);
      return result;
    } catch (error) {
      await this.failed(attempt);
      throw error;
    }
  }

  async #checked(account: string, address: string, keys?: RateLimitKey[]): Promise<Attempt> {
    try {
      return await this.check(account, address, keys);
    } catch (error) {
      if (error instanceof DomainError && error.code === "throttled") refused.add();
      throw error;
    }
  }

  /**
   * Lets a guess through and holds a place for it until it is settled by one of the methods below.
   * When every place is held by guesses under way it waits for them: those may be right.
   *
   * @throws DomainError `throttled` with a `retryAfter` that grows from refusal to refusal
   */
  async check(
    account: string,
    address: string,
    keys: RateLimitKey[] = rateLimitKeysOf(account, address),
  ): Promise<Attempt> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      const attempt = { id: crypto.randomUUID(), at: this.#now(), keys };
      if (await this.#hold(attempt)) return attempt;
      await delay(pauseMs * (0.5 + Math.random() / 2));
    }
    throw throttledError(1);
  }

  /** Counts the attempt as a failure. */
  async failed(attempt: Attempt): Promise<void> {
    await this.#settle(attempt, (state) => withFailure(state, attempt));
  }

  /** Forgets the failures of this account from this address; the other two counts stay. */
  async succeeded(attempt: Attempt): Promise<void> {
    await this.#settle(
      attempt,
      (state, { kind }) =>
        kind === "account_address" ? emptyState : withoutAttempt(state, attempt.id),
    );
  }

  /** Withdraws the attempt: nothing was compared. */
  async withdrawn(attempt: Attempt): Promise<void> {
    await this.#settle(attempt, (state) => withoutAttempt(state, attempt.id));
  }

  /** Removes the records in which nothing counts any more. */
  async removeExpired(): Promise<void> {
    await attempts.removeExpired(this.#store, this.#now());
  }

  /** Reserves a place for the attempt; false when a retry may succeed later. */
  async #hold(attempt: Attempt): Promise<boolean> {
    return await commitChange(this.#store, async () => {
      const counted = (await this.#read(attempt.keys))
        .map((each) => ({ ...each, state: asOf(each.state, attempt.at) }));
      const closed = counted.filter((each) => endOf(each, attempt.at) > attempt.at);
      if (closed.length > 0) throw await this.#refuse(closed, attempt.at);
      if (counted.some(({ state, limit }) => isFull(state, limit, attempt.at))) {
        return { result: false, build: null };
      }
      const next = (state: RateLimitState) => withAttempt(state, attempt.id, attempt.at);
      return { result: true, build: replace(counted, next) };
    });
  }

  /**
   * Counts a refusal with every closed subject. Of several refusals in the same instant only one is
   * counted, without a retry.
   */
  async #refuse(closed: Counted[], now: number): Promise<DomainError> {
    const next = (state: RateLimitState, rateLimitKey: Counted) =>
      withRefusal(state, endOf(rateLimitKey, now));
    const build = replace(closed, next);
    if (build) await this.#store.atomic(build);
    const ends = closed.map((each) => Math.max(endOf(each, now), next(each.state, each).until));
    return throttledError(Math.ceil((Math.max(...ends) - now) / 1000));
  }

  async #settle(
    attempt: Attempt,
    change: (state: RateLimitState, rateLimitKey: RateLimitKey) => RateLimitState,
  ): Promise<void> {
    await commitChange(this.#store, async () => {
      const counted = await this.#read(attempt.keys);
      return { result: undefined, build: replace(counted, change) };
    });
  }

  async #read(keys: RateLimitKey[]): Promise<Counted[]> {
    const entries = await this.#store.getMany<RateLimitState[]>(
      keys.map((rateLimitKey) => rateLimitKey.key),
    );
    return keys.map((rateLimitKey, index) => {
      const entry = entries[index] ?? { key: rateLimitKey.key, value: null, versionstamp: null };
      return { ...rateLimitKey, entry, state: entry.value ?? emptyState };
    });
  }
}

/** The end of the subject's lockout. */
function endOf({ state, limit }: Counted, now: number): number {
  return closedUntil(state, limit, now);
}

/**
 * The operation that writes the changed rate-limit states, or null when none changes. A state
 * without attempts has no record.
 */
function replace(
  counted: Counted[],
  change: (state: RateLimitState, rateLimitKey: Counted) => RateLimitState,
): ((operation: Deno.AtomicOperation) => Deno.AtomicOperation) | null {
  const changed = counted
    .map(({ entry, ...rateLimitKey }) => ({
      entry,
      next: change(rateLimitKey.state, { entry, ...rateLimitKey }),
    }))
    .filter(({ entry, next }) => next !== (entry.value ?? emptyState));
  if (changed.length === 0) return null;
  return (operation) => {
    for (const { entry, next } of changed) {
      attempts.write(operation, entry, next.attempts.length === 0 ? null : next);
    }
    return operation;
  };
}

function throttledError(retryAfter: number): DomainError {
  const minutes = Math.ceil(retryAfter / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const message = `Cannot check the password: too many attempts; try again in ${wait}`;
  return new DomainError("throttled", message, retryAfter);
}
