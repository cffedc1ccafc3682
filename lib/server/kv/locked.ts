import { delay } from "./delay.ts";

/** The shortest and longest pause before the next try, in milliseconds. */
const shortestPauseMs = 2;
const longestPauseMs = 20;

/**
 * Runs an operation on the store and repeats it while another thread or process holds the file.
 * SQLite waits for a writer by itself, for up to five seconds, but refuses at once while somebody
 * opens or closes the store. The pauses differ at random, so that two who wait do not meet again.
 *
 * @param patienceMs how long the operation may be repeated, in milliseconds
 * @throws Error `Cannot reach the store: …` when the file stayed locked
 */
export async function whileLocked<T>(
  operation: () => Promise<T>,
  patienceMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  while (true) {
    try {
      return await operation();
    } catch (error) {
      if (!saysLocked(error)) throw error;
      if (performance.now() > deadline) {
        const message = "Cannot reach the store: another process keeps it locked";
        throw new Error(message, { cause: error });
      }
    }
    await delay(shortestPauseMs + Math.random() * (longestPauseMs - shortestPauseMs));
  }
}

/** SQLite says it in an error's text alone: there is no class or code to go by. */
function saysLocked(error: unknown): boolean {
  return error instanceof Error && /database (?:table |schema )?is locked/.test(error.message);
}
