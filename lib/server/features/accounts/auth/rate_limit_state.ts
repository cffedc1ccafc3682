/** The window in which a failure counts, in milliseconds. */
const windowMs = 15 * 60_000;

/** The extension of the wait by each refusal after the first, in milliseconds. */
const growthMs = 60_000;

/** Most extensions of the wait. */
const maxGrowths = 15;

/** The longest wait from the last failure on, in milliseconds. */
const maxWaitMs = windowMs + maxGrowths * growthMs;

/** Timeout of a verification, in milliseconds: one still under way has failed. */
const verificationMs = 30_000;

/** How far ahead of the clock an attempt's time may lie: threads compare times read concurrently. */
const clockSlackMs = 60_000;

/** One attempt that was let through. */
export interface PasswordAttempt {
  id: string;
  /** When it was let through, in milliseconds since 1970. */
  at: number;
  /** False while the password is being compared. */
  failed: boolean;
}

/** The state that a throttle keeps of one subject. */
export interface RateLimitState {
  /** Attempts that count, oldest first. */
  attempts: PasswordAttempt[];
  /** The number of attempts refused since the limit was reached. */
  refusals: number;
  /** Locked out until then, whatever the attempts, in milliseconds since 1970. */
  until: number;
}

/** The initial state of a subject. */
export const emptyState: Readonly<RateLimitState> = { attempts: [], refusals: 0, until: 0 };

/**
 * The state without attempts from the future, which were counted before the clock was set back, and
 * without the lockout that followed from them: it would last until the clock is there again.
 */
export function asOf(state: RateLimitState, now: number): RateLimitState {
  const attempts = state.attempts.filter((each) => each.at - now <= clockSlackMs);
  if (attempts.length === state.attempts.length) return state;
  return { attempts, refusals: 0, until: 0 };
}

/** The end of a lockout, in milliseconds since 1970; not after `now` when there is none. */
export function closedUntil(state: RateLimitState, limit: number, now: number): number {
  const failures = living(state, now).filter((each) => hasFailed(each, now));
  const decisive = failures.at(-limit);
  return Math.max(state.until, decisive ? decisive.at + windowMs : 0);
}

/** Whether every place is taken by a failure or by an attempt that may become one. */
export function isFull(state: RateLimitState, limit: number, now: number): boolean {
  return living(state, now).length >= limit;
}

/** Whether nothing in a state counts any more. */
export function isOver({ attempts, until }: RateLimitState, now: number): boolean {
  return until <= now && attempts.every(({ at }) => at + maxWaitMs <= now);
}

/** The state with one more attempt under way. */
export function withAttempt(state: RateLimitState, id: string, now: number): RateLimitState {
  const attempts = [...living(state, now), { id, at: now, failed: false }];
  return { attempts, refusals: 0, until: 0 };
}

/** The state after that attempt failed. */
export function withFailure(
  state: RateLimitState,
  attempt: { id: string; at: number },
): RateLimitState {
  const others = state.attempts.filter((each) => each.id !== attempt.id);
  const attempts = [...others, { ...attempt, failed: true }].sort((a, b) => a.at - b.at);
  return { ...state, attempts };
}

/** The state without that attempt. */
export function withoutAttempt(state: RateLimitState, id: string): RateLimitState {
  return { ...state, attempts: state.attempts.filter((each) => each.id !== id) };
}

/**
 * The state of a closed subject after one more refusal. The first refusal waits for the failures to
 * expire, each further one a minute longer. Bounded, so that an attacker cannot lock an account out
 * permanently.
 *
 * @param end until when the subject is closed now, in milliseconds since 1970
 */
export function withRefusal(state: RateLimitState, end: number): RateLimitState {
  if (state.refusals > maxGrowths) return state;
  const growth = state.refusals === 0 ? 0 : growthMs;
  return { ...state, refusals: state.refusals + 1, until: end + growth };
}

function living(state: RateLimitState, now: number): PasswordAttempt[] {
  return state.attempts.filter((each) => now - each.at < windowMs);
}

function hasFailed(each: PasswordAttempt, now: number): boolean {
  return each.failed || now - each.at >= verificationMs;
}
