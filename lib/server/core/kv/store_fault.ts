import { DomainError, type ErrorCode } from "../../../shared/errors.ts";

/** The messages of SQLite and Deno KV for a store that fails; there is no class or code for it. */
const faults: readonly [words: RegExp, code: ErrorCode, message: string][] = [
  [/database or disk is full/, "disk_full", "Cannot write to the store: its disk is full"],
  [
    /database disk image is malformed|file is not a database/,
    "disk_error",
    "Cannot use the store: its file is damaged; restore it from a backup",
  ],
  // SQLite has no checksum of its pages.
  [
    /could not deserialize value|value encoding \d+ is unknown/,
    "disk_error",
    "Cannot use the store: a record in its file is damaged; restore the file from a backup",
  ],
  [
    /attempt to write a readonly database/,
    "disk_error",
    "Cannot write to the store: its file or its disk is read-only",
  ],
  [
    /unable to open database file/,
    "disk_error",
    "Cannot open the store: its file or one beside it cannot be opened and written",
  ],
  // Also on a full disk, by the index of the log.
  [/disk I\/O error/, "disk_error", "Cannot use the store: its disk is full or reports an error"],
];

/** The refusal for a fault of the store's file or disk; null for any other error. */
export function storeFault(error: unknown): DomainError | null {
  if (!(error instanceof Error)) return null;
  const fault = faults.find(([words]) => words.test(error.message));
  return fault ? new DomainError(fault[1], fault[2]) : null;
}
