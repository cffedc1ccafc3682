import { DomainError } from "../../shared/errors.ts";

/**
 * The longest record as JSON, in characters. A value of the store has at most 65,536 bytes, and a
 * character takes up to two of them.
 */
const longestRecord = 30_000;

/**
 * Refuses a record that the store could not hold.
 *
 * @param action what fails, for the message: `save the settings`
 * @throws DomainError `invalid_body`
 */
export function checkRecordSize(action: string, record: unknown): void {
  if (JSON.stringify(record).length <= longestRecord) return;
  throw new DomainError(
    "invalid_body",
    `Cannot ${action}: it has more than ${longestRecord} characters`,
  );
}
