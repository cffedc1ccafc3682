import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { DavRefusal } from "./dav_refusal.ts";

/**
 * The entry at a path; null when the viewer may know, and none is there.
 *
 * @throws {DomainError} `forbidden`
 */
export function entryAt(access: Access, path: EntryPath): EntryHandle | null {
  try {
    return access.find(path);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
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
