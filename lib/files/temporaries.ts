import { DomainError } from "../errors.ts";
import type { Gate } from "../access/gate.ts";

/**
 * Removes the temporary files that killed processes left in the folders that had uploads.
 * Uploads under way in other processes are left alone.
 *
 * @returns how many files were removed
 */
export function sweepTemporaries(_gate: Gate, _kv: Deno.Kv): Promise<number> {
  return Promise.reject(new DomainError("internal", "Cannot sweep"));
}
