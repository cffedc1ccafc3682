import { DomainError } from "../errors.ts";
import type { Usage } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";

/**
 * The size of the disk that holds an entry, and how much of it is taken.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function diskUsage(_access: Access, _path: EntryPath): Promise<Usage> {
  return Promise.reject(new DomainError("internal", "Cannot measure the disk"));
}
