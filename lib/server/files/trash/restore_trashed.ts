import { numberedName } from "../../../shared/numbered_name.ts";
import {
  childOf,
  type EntryPath,
  isInside,
  nameOf,
  parentOf,
  relativePath,
  ROOT,
} from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { companionName, placeCompanion } from "../../core/access/companions.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import { DiskError, type OpenFolder, tryTo } from "../../core/disk/disk.ts";
import { type Facts, isSameEntry } from "../../core/disk/facts.ts";
import type { FormerFiles } from "../upload/commit_upload.ts";
import { renameToFree } from "../upload/free_name.ts";
import { takeRights } from "../upload/temporary_file.ts";
import { notInTrashError, type TrashedEntry } from "./trash_records.ts";
import { DomainError } from "../../../shared/errors.ts";
import { pathIn } from "../../../shared/named_roots.ts";
import { StreamedFile } from "../../core/access/file_handle.ts";
import { contentInfo, type OpenContent } from "../content/open_content.ts";

/**
 * Puts an entry back where it was; under another name, `a(1).txt`, where that is taken. Needs
 * create. Missing folders are made.
 *
 * @param formerFiles puts a file in place of the one that is there, which is kept by these; needs
 * modify as well. Null never replaces
 * @returns its path for the user
 * @throws {DomainError} `not_found`, also for one that lay outside the user's scope; `forbidden`
 */
export async function restoreTrashed(
  access: Access,
  entry: TrashedEntry,
  formerFiles: FormerFiles | null,
): Promise<EntryPath> {
  const name = nameOf(entry.path);
  const action = `Cannot restore "${name}"`;
  const wanted = formerPath(access, entry, action);
  try {
    using trash = openTrash(access.spec, entry.top, false);
    using folder = trash.folder(entry.id);
    const there = folder.look(name);
    if (there?.ino !== entry.ino) throw notInTrashError(entry.id);
    for (let number = 0;; number++) {
      const free = number === 0 ? name : numberedName(name, number, entry.isDir);
      const path = childOf(parentOf(wanted), free);
      const target = access.putBack(path);
      const replacing = target.existing?.info.isFile && !entry.isDir ? formerFiles : null;
      if (target.existing && !replacing) continue;
      try {
        using into = target.open();
        if (replacing) await replace(access, name, { folder, target, into }, replacing);
        else renameToFree(folder, name, into, target.name);
        restoreCompanion({ folder, name }, { folder: into, name: target.name });
        await target.sync(into);
      } catch (error) {
        target.removeMadeParents();
        if (error instanceof DiskError && error.code === "EEXIST") continue;
        throw error;
      }
      trash.removeFolder(entry.id);
      return path;
    }
  } catch (error) {
    if (error instanceof DiskError && error.code === "ENOENT") throw notInTrashError(entry.id);
    throw asRefusal(error, action);
  }
}

/** Puts back what macOS has kept beside an entry, unless its name is taken: then it goes. */
function restoreCompanion(
  { folder, name }: { folder: OpenFolder; name: string },
  to: { folder: OpenFolder; name: string },
): void {
  const companion = { folder, name: companionName(name) };
  // A name may be too long to have one.
  tryTo(() => {
    if (!folder.look(companion.name)) return;
    const isPlaced = placeCompanion(companion, { ...to, name: companionName(to.name) });
    if (!isPlaced) folder.removeFile(companion.name);
  });
}

/** Puts a file in place of another, which is kept. */
async function replace(
  access: Access,
  name: string,
  { folder, target, into }: { folder: OpenFolder; target: WriteHandle; into: OpenFolder },
  formerFiles: FormerFiles,
): Promise<void> {
  access.need(`Cannot replace "${target.path}"`, "modify");
  const former = into.look(target.name);
  const restored = folder.look(name);
  // A rename would keep both names of one file.
  if (former && restored && isSameEntry(former, restored)) return folder.removeFile(name);
  const place = childOf(target.folderBelowRoot, target.name);
  const kept = former && await formerFiles.keep(into, place, former);
  try {
    if (former) takeRightsOf({ folder, name }, { folder: into, name: target.name, former });
    folder.rename(name, into, target.name);
  } catch (error) {
    await kept?.takeBack();
    throw error;
  }
  if (former && restored) {
    await formerFiles.replaced?.({ place, former, isKept: !!kept, now: restored });
  }
}

/** Whoever may read or write the present file may so when a previous version takes its place. */
function takeRightsOf(
  { folder, name }: { folder: OpenFolder; name: string },
  present: { folder: OpenFolder; name: string; former: Facts },
): void {
  try {
    using file = folder.file(name, "read");
    takeRights(file, present.folder, present.name, present.former);
  } catch (error) {
    // A version that the server may not read keeps the rights that it had.
    if (!(error instanceof DiskError && error.code === "EACCES")) throw error;
  }
}

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
