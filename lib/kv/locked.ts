import { delay } from "./delay.ts";

/** How long an operation on the store may be repeated, in milliseconds. */
const patienceMs = 5_000;

/** The shortest and longest pause before the next try, in milliseconds. */
const shortestPauseMs = 2;
const longestPauseMs = 20;

/**
 * Runs an operation on the store and repeats it while another thread or process holds the file.
 * The pauses differ at random, so that two who wait do not meet again.
 *
 * @throws Error `Cannot reach the store: …` when the file stayed locked for five seconds
 */
export async function whileLocked<T>(operation: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  while (true) {
    try {
      return await operation();
    } catch (error) {
      if (!saysLocked(error)) throw error;
      if (performance.now() > deadline) {
        throw new Error("Cannot reach the store: another process keeps it locked", {
          cause: error,
        });
      }
    }
    await delay(shortestPauseMs + Math.random() * (longestPauseMs - shortestPauseMs));
  }
}

/** SQLite says it in an error's text alone: there is no class or code to go by. */
function saysLocked(error: unknown): boolean {
  return error instanceof Error && /database (?:table |schema )?is locked/.test(error.message);
}
