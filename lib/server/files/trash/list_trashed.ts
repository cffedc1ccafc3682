import { isAllowed } from "../../../shared/unless_refused.ts";
import { childOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { modifiedOf } from "../listing/entries.ts";
import { formerPath } from "./restore_trashed.ts";
import { notInTrashError, type TrashedEntry } from "./trash_records.ts";

/** A file or folder in a folder of the trash. */
export interface TrashedChild {
  name: string;
  /** Where it was, as the user has it. */
  path: EntryPath;
  isDir: boolean;
  /** Bytes; 0 of a folder. */
  size: number;
  modified: Date;
  ino: number | null;
}

/**
 * The files and folders in a folder of the trash, without those whose former paths are denied to the
 * viewer by now. Links are left out and never followed.
 *
 * @param below the names from the deleted folder on
 * @throws {DomainError} `not_found` for what is no folder in the trash, `forbidden`
 */
export function listTrashed(
  access: Access,
  entry: TrashedEntry,
  below: readonly string[],
): TrashedChild[] {
  const action = `Cannot list "${nameOf(entry.path)}"`;
  const top = formerPath(access, entry, action);
  const path = below.reduce(childOf, top);
  access.check(path, action);
  try {
    using stack = new DisposableStack();
    const trash = stack.use(openTrash(access.spec, entry.top, false));
    const holder = stack.use(trash.folder(entry.id));
    if (holder.look(nameOf(entry.path))?.ino !== entry.ino) throw notInTrashError(entry.id);
    let folder: OpenFolder = stack.use(holder.folder(nameOf(entry.path)));
    for (const name of below) folder = stack.use(folder.folder(name));
    return folder.entries().flatMap(({ name }) => {
      const info = folder.look(name);
      return info && isShown(access, childOf(path, name), info)
        ? [childFrom(path, name, info)]
        : [];
    });
  } catch (error) {
    if (error instanceof DiskError && /^(ENOENT|ENOTDIR|ELOOP)$/.test(error.code)) {
      throw notInTrashError(entry.id);
    }
    throw asRefusal(error, action);
  }
}

function isShown(access: Access, path: EntryPath, { isFile, isDirectory }: Facts): boolean {
  return (isFile || isDirectory) && isAllowed(() => access.check(path, "Cannot list"));
}

function childFrom(above: EntryPath, name: string, info: Facts): TrashedChild {
  const { isDirectory: isDir, ino } = info;
  const size = isDir ? 0 : info.size;
  return { name, path: childOf(above, name), isDir, size, modified: modifiedOf(info), ino };
}
