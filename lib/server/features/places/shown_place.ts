import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { pathIn } from "../../../shared/named_roots.ts";
import { slowMountsOf } from "../../core/access/slow_mounts.ts";
import type { ListedPlace } from "./place_lists.ts";

/** A listed entry as its user may see it now. */
export interface ShownPlace {
  /** In the user's scope of today. */
  path: EntryPath;
  /** `gone`: nothing is there now; null: its disk may be unresponsive, so it was not looked at. */
  entry: EntryHandle | "gone" | null;
}

/**
 * A listed entry as its user may see it now; null for one that has left the user's scope, or that a
 * rule hides: where it is by now is not told (CWE-200).
 */
export function shownPlace(access: Access, { path: kept }: ListedPlace): ShownPlace | null {
  const path = pathIn(access.viewer, kept);
  if (path === null) return null;
  try {
    if (slowMountsOf(access, path, "entry").length > 0) return { path, entry: null };
    return { path, entry: access.stat(path) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "not_found") return { path, entry: "gone" };
    return error.code === "forbidden" ? null : { path, entry: null };
  }
}
