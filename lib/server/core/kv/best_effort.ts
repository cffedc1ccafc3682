import { DomainError } from "../../../shared/errors.ts";

/**
 * Makes a write that comes after the work itself: where the store cannot be written now, the work
 * is done nevertheless, and a later run makes up for the record.
 *
 * @returns whether it was written
 */
export async function bestEffort(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof DomainError && /^(?:disk_full|disk_error|busy)$/.test(error.code)) {
      return false;
    }
    throw error;
  }
}
