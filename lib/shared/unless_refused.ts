import { DomainError, type ErrorCode } from "./errors.ts";

/**
 * What the work gives; null where it is refused: for any reason, or for one of those named. Other
 * errors are thrown.
 */
export function unlessRefused<T>(
  work: () => Promise<T>,
  ...reasons: ErrorCode[]
): Promise<T | null>;
export function unlessRefused<T>(work: () => T, ...reasons: ErrorCode[]): T | null;
export function unlessRefused<T>(work: () => T | Promise<T>, ...reasons: ErrorCode[]) {
  try {
    const given = work();
    return given instanceof Promise ? given.catch(nullIfRefused) : given;
  } catch (error) {
    return nullIfRefused(error);
  }

  function nullIfRefused(error: unknown): null {
    const isMeant = error instanceof DomainError &&
      (reasons.length === 0 || reasons.includes(error.code));
    if (isMeant) return null;
    throw error;
  }
}

/** Whether the gate allows something now. */
export function isAllowed(ask: () => unknown): boolean {
  return unlessRefused(() => {
    ask();
    return true;
  }) ?? false;
}
