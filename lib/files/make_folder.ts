import { DomainError } from "../errors.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";

/**
 * Makes a folder and its parents; a folder that is there already is fine.
 *
 * @throws {DomainError} `exists` when a file is in the way, `forbidden`, `invalid_name`, `disk_full`
 */
export function makeFolder(_access: Access, _path: EntryPath): Promise<void> {
  return Promise.reject(new DomainError("internal", "Cannot make the folder"));
}
