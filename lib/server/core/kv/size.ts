import { DomainError } from "../../../shared/errors.ts";

/**
 * The longest record as JSON, in characters. A value in the store has at most 65,536 bytes, and a
 * character takes up to two.
 */
export const maxRecordLength = 30_000;

/**
 * Refuses a record that is too large for the store.
 *
 * @param action the failing action, for the message: `save the settings`
 * @throws DomainError `invalid_body`
 */
export function checkRecordSize(action: string, record: unknown): void {
  if (JSON.stringify(record).length <= maxRecordLength) return;
  throw new DomainError(
    "invalid_body",
    `Cannot ${action}: it has more than ${maxRecordLength} characters`,
  );
}
