import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { SourceHandle } from "../../core/access/source_handle.ts";
import { DavRefusal } from "./dav_refusal.ts";

/**
 * The entry at a path; null when the viewer may know, and none is there.
 *
 * @throws {DomainError} `forbidden`
 */
export function entryAt(access: Access, path: EntryPath): EntryHandle | null {
  return unlessRefused(() => access.find(path), "not_found");
}

/** The entry at a path, not following a link; null without one. Needs no more than to look. */
export function itselfAt(access: Access, path: EntryPath): SourceHandle | null {
  return unlessRefused(() => access.itself(path), "not_found");
}

/**
 * Runs a change that may replace nothing, as the request says (`If-None-Match: *`, `Overwrite: F`).
 * Where the name is taken meanwhile, that condition has failed, as for a name that was taken before.
 *
 * @throws {DavRefusal} `not_overwritten`
 */
export async function replacingNothing<T>(
  access: Access,
  path: EntryPath,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isConflict = error instanceof DomainError && !(error instanceof DavRefusal) &&
      error.code === "exists";
    // The conflict may be a file that has the name of a folder on the way.
    if (!isConflict || !itselfAt(access, path)) throw error;
    throw new DavRefusal("not_overwritten", "precondition_failed", error.message);
  }
}

/**
 * Refuses a new entry whose folder is not there: WebDAV makes none on the way (RFC 4918, 9.3.1), so
 * that clients notice what has gone.
 *
 * @throws {DavRefusal} `no_parent`
 * @throws {DomainError} `forbidden`
 */
export function requireParent(access: Access, path: EntryPath, sought = access.seek(path)): void {
  if (!sought.lacksParent) return;
  const message = `Cannot create "${path}": its parent folder does not exist`;
  throw new DavRefusal("no_parent", "not_found", message);
}
