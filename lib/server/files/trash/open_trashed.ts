import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, isInside, nameOf, relativePath, ROOT } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { pathIn } from "../../../shared/named_roots.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { StreamedFile } from "../../core/access/streamed_file.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import { DiskError } from "../../core/disk/disk_error.ts";
import { contentInfo, type OpenContent } from "../content/open_content.ts";
import { notInTrashError, type TrashedEntry } from "./trash_records.ts";

/**
 * Where a deleted entry was, as a path of the viewer.
 *
 * @throws {DomainError} `not_found` when that lies outside the viewer's scope, or the share
 */
export function formerPath(access: Access, { path }: TrashedEntry, action: string): EntryPath {
  const former = access.viewer.base === undefined
    ? pathIn(access.viewer, path)
    : pathInShare(access, path);
  if (former !== null) return former;
  throw new DomainError("not_found", `${action}: access to its former folder is denied`);
}

function pathInShare(access: Access, path: EntryPath): EntryPath | null {
  const top = access.placeOf(access.stat(ROOT));
  return isInside(path, top) ? relativePath(path, top) : null;
}

/**
 * Opens a file in the trash for reading: exactly the one that was deleted or replaced. Needs
 * download, and that nothing denies the path on which it was.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `is_folder`; `not_a_file` for a link and the like
 */
export function openTrashed(access: Access, entry: TrashedEntry): OpenContent {
  const { id, top, ino } = entry;
  const name = nameOf(entry.path);
  const action = `Cannot open "${name}"`;
  access.need(action, "download");
  access.check(formerPath(access, entry, action), action);
  if (entry.isDir) throw new DomainError("is_folder", `${action}: it is a folder`);
  try {
    using trash = openTrash(access.spec, top, false);
    using folder = trash.folder(id);
    const there = folder.look(name);
    if (there?.ino !== ino) throw notInTrashError(id);
    if (!there.isFile) throw new DomainError("not_a_file", `${action}: it is not a regular file`);
    const file = folder.file(name, "read");
    const info = file.facts();
    if (info.ino === ino) return { ...contentInfo(name, info), file: new StreamedFile(file) };
    file[Symbol.dispose]();
    throw notInTrashError(id);
  } catch (error) {
    if (error instanceof DiskError && error.code === "ENOENT") throw notInTrashError(id);
    throw asRefusal(error, action);
  }
}
