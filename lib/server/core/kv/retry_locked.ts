import { delay } from "../../../shared/delay.ts";
import { storeFault } from "./store_fault.ts";

/** The shortest and longest delay before a retry, in milliseconds. */
const minPauseMs = 2;
const maxPauseMs = 20;

/**
 * Runs an operation on the store and retries it while another thread or process locks the file.
 * SQLite waits for a writer by itself, for up to five seconds, but fails at once while the store is
 * being opened or closed. Delays are random, so that waiting callers do not collide again.
 *
 * @param timeoutMs timeout of the retries, in milliseconds
 * @throws DomainError `disk_full`; `disk_error` when the file is damaged or its disk fails
 * @throws Error `Cannot reach the store: …` when the file stayed locked
 */
export async function retryLocked<T>(
  operation: () => Promise<T>,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (true) {
    try {
      return await operation();
    } catch (error) {
      if (!isLockedError(error)) throw storeFault(error) ?? error;
      if (performance.now() > deadline) {
        const message = "Cannot reach the store: another process has it locked";
        throw new Error(message, { cause: error });
      }
    }
    await delay(minPauseMs + Math.random() * (maxPauseMs - minPauseMs));
  }
}

/** Detected by the error's text, as there is no class or code for it. */
function isLockedError(error: unknown): boolean {
  return error instanceof Error && /database (?:table |schema )?is locked/.test(error.message);
}
