import { DomainError } from "../errors.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import type { Walker } from "../walk/walker.ts";

/**
 * Removes a file, a link (never its target), or a folder with all that is below it. A folder that
 * holds anything the viewer may not reach is left whole.
 *
 * @throws {DomainError} `forbidden` (also for the scope's root), `not_found`
 */
export function removeEntry(
  _access: Access,
  _walker: Walker,
  _path: EntryPath,
  _signal?: AbortSignal,
): Promise<void> {
  return Promise.reject(new DomainError("internal", "Cannot remove the entry"));
}
