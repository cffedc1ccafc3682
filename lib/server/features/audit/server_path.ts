import { placeIn } from "../../../shared/named_roots.ts";
import { type EntryPath, joinPaths, parsePath, ROOT } from "../../../shared/path.ts";
import { type AuditAction, auditGroups } from "../../../shared/schemas/choices/audit_choices.ts";
import type { Access } from "../../core/access/access.ts";

/** The actions in the history of an entry. A purge is of what has left its place. */
const inHistory: ReadonlySet<AuditAction> = new Set<AuditAction>([
  ...auditGroups.changes.filter((action) => action !== "purge"),
  "share_add",
  "share_change",
  "share_remove",
]);

/**
 * The paths by which a record is found for the history of entries: none for what is not told there.
 */
export function placesOf(
  { action, path, to }: { action: AuditAction; path?: string | null; to?: string | null },
): string[] {
  if (!inHistory.has(action)) return [];
  return [...new Set([path, to].filter((place) => typeof place === "string"))];
}

/**
 * A path of a viewer from the root of the server, as it is taken down: as text, without the disk.
 */
export function serverPath({ viewer }: Pick<Access, "viewer">, path: EntryPath): EntryPath {
  // Of the virtual top, which is on no disk, the viewer's own path is taken down.
  const own = joinPaths(viewer.base ?? ROOT, path);
  return placeIn(viewer, own) ?? own;
}

/** The folder, or the shared entry, that a viewer's paths are counted from. */
export function topOf({ scope, base = ROOT }: Access["viewer"]): EntryPath {
  return joinPaths(parsePath(`/${scope}`).path, base);
}
