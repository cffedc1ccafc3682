import { DomainError } from "../../../shared/errors.ts";

/** What the work gives; null where it is refused. Other errors are thrown. */
export async function unlessRefused<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Whether the gate allows something now. */
export function isAllowed(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
