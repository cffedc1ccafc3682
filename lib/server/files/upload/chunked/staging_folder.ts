import { unlessRefused } from "../../../../shared/unless_refused.ts";
import { rootsOf } from "../../../../shared/named_roots.ts";
import { childOf, type EntryPath, isInside, ROOT } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";

/**
 * The folder for the bytes of an upload whose target is not known, below the server root: a rename
 * leads from there to most targets.
 *
 * @throws {DomainError} `forbidden`, `read_only`
 */
export function stagingFolder(access: Access, action: string): EntryPath {
  access.needWrite(action);
  const tops = topsOf(access);
  const top = tops.find((path) => !access.isReadOnly(path));
  if (top === undefined) access.needWritable(tops[0] ?? ROOT, action);
  return access.placeOf(access.stat(top ?? ROOT));
}

/** Whether the viewer reaches a folder. @param folder below the server root */
export function reachesFolder(access: Access, folder: EntryPath): boolean {
  return topsOf(access).some((top) => {
    return unlessRefused(() => isInside(folder, access.placeOf(access.stat(top)))) ?? false;
  });
}

/** The folders that the viewer reaches, as the viewer names them. */
function topsOf({ viewer }: Access): EntryPath[] {
  if (viewer.within !== undefined) return [viewer.within];
  return rootsOf(viewer)?.map(({ name }) => childOf(ROOT, name)) ?? [ROOT];
}
