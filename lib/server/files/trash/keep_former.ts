import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { openTrash, trashTopOfFolder } from "../../core/access/trash_place.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import type { FormerFile } from "../upload/commit_upload.ts";
import { bestEffort } from "../../core/kv/best_effort.ts";
import { isInPlace } from "./trash_entries.ts";
import { makeTrashId, type TrashRecords } from "./trash_records.ts";

/** A file that is about to be replaced. */
export interface ReplacedFile {
  /** Who replaces it. */
  userId: number;
  /** Holds it. */
  folder: OpenFolder;
  /** Its own, below the server root. */
  path: EntryPath;
  former: Facts;
}

/**
 * Gives a file a second name in the trash, which stays when the first is taken by another. Where
 * the disk has no trash, or no second names, nothing is kept.
 */
export async function keepFormer(
  records: TrashRecords,
  spec: GateSpec,
  { userId, folder, path, former }: ReplacedFile,
): Promise<FormerFile | null> {
  const { ino, size } = former;
  const at = Date.now();
  const [id, name] = [makeTrashId(at), nameOf(path)];
  const top = trashTopOfFolder(parentOf(path), spec);
  const entry = { id, userId, path, isDir: false, size, isVersion: true, at, top, ino };
  await records.put(entry);
  const takeBack = async () => {
    dropName(spec, top, id, name);
    await bestEffort(() => records.forget([entry]));
  };
  try {
    using trash = openTrash(spec, top, true);
    trash.makeFolder(id, 0o700);
    using into = trash.folder(id);
    folder.addName(name, into, name);
    await Promise.all([into.sync(), trash.sync()]);
    return { id, isInPlace: () => isInPlace(spec, entry), takeBack };
  } catch (error) {
    await takeBack();
    if (isImpossible(error)) return null;
    throw asRefusal(error, `Cannot keep "${path}"`);
  }
}

/** Removes the second name of a file, which it keeps its first one of, with its folder. */
function dropName(spec: GateSpec, top: EntryPath, id: string, name: string): void {
  try {
    using trash = openTrash(spec, top, false);
    using folder = trash.folder(id);
    if (folder.look(name)) folder.removeFile(name);
    trash.removeFolder(id);
  } catch {
    // It was not made, or the disk is gone: the next start looks again.
  }
}

/** Whether a disk has no trash, or no second names for files (vfat, some networks). */
function isImpossible(error: unknown): boolean {
  return error instanceof DomainError ? error.code === "no_trash" : error instanceof DiskError &&
    /^(EPERM|EMLINK|EXDEV|ENOTSUP|EOPNOTSUPP|ENOSYS|EINVAL)$/.test(error.code);
}
