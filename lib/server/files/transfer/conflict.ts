import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { isBelow, realParent, type RealPath } from "../../disk/real_path.ts";
import type { SourceHandle } from "../../access/source_handle.ts";
import { foldsNames } from "../../access/disk_spelling.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import { isSameEntry } from "../../disk/facts.ts";
import { disk } from "../../disk/this_disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import { actionOf, NameTaken, type TransferRequest } from "./request.ts";

/** How an entry takes its name, as far as that depends on the entry that has it. */
export type Conflict =
  /** The name is free. */
  | "free"
  /** A file has it, and is replaced. */
  | "replace"
  /** A folder has it, and takes in the entries of the folder that comes. */
  | "merge"
  /** The entry itself has it: only its letters change, on a disk that does not tell them apart. */
  | "caseRename";

/**
 * Judges whether an entry may take a path, as far as that depends on the entry that is there.
 *
 * @param there the entry at the path, not following a link
 * @throws {NameTaken} where another name may be picked, or the caller may ask to replace
 * @throws {DomainError} `invalid_path` for itself and for the folder it is in; `exists` for another
 * kind of entry, or a link; `not_a_file`; `forbidden` without the permission to modify
 */
export function resolveConflict(
  access: Access,
  source: SourceHandle,
  there: SourceHandle | null,
  request: TransferRequest,
): Conflict {
  const action = actionOf(request);
  if (!there) return "free";
  if (isItself(source, there)) {
    if (request.action === "copy" && request.rename) throw new NameTaken(action);
    if (request.action === "move" && isCaseRename(source, there)) return "caseRename";
    throw new DomainError("invalid_path", `${action}: the destination is the entry itself`);
  }
  if (request.rename || !request.override) throw new NameTaken(action);
  access.need(action, "modify");
  if (there.info.isSymlink) {
    throw new DomainError("exists", `${action}: a link has the name at the destination`);
  }
  if (source.isFolder && there.isFolder) {
    if (!liesIn(source.real, there)) return "merge";
    throw new DomainError("invalid_path", `${action}: it lies inside the destination`);
  }
  if (source.isFolder || there.isFolder) {
    throw new DomainError(
      "exists",
      `${action}: a folder does not replace a file, nor a file a folder`,
    );
  }
  if (there.info.isFile) return "replace";
  throw new DomainError("not_a_file", `${action}: no regular file is at the destination`);
}

/** The entry at a path, not following a link; null when there is none. */
export function entryAt(access: Access, path: EntryPath, isCopy: boolean): SourceHandle | null {
  try {
    return isCopy ? access.copy(path) : access.rename(path);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}

/**
 * Refuses to put a folder into itself.
 *
 * @throws {DomainError} `invalid_path`
 */
export function refuseInside(source: SourceHandle, target: WriteHandle, action: string): void {
  if (source.isFolder && liesIn(target.folder, source)) {
    throw new DomainError("invalid_path", `${action}: the destination lies inside it`);
  }
}

/**
 * Whether a real path is a folder or lies below it. Folders are told apart by what they are and not
 * by their paths, so that no other spelling and no second place in the tree deceives.
 */
function liesIn(path: RealPath, { info, bounds }: SourceHandle): boolean {
  for (let folder = path; isBelow(folder, bounds.base); folder = realParent(folder)) {
    const here = disk.look(folder);
    if (here && isSameEntry(here, info)) return true;
    if (folder === "/") break;
  }
  return false;
}

function isItself(source: SourceHandle, there: SourceHandle): boolean {
  if (!isSameEntry(source.info, there.info)) return false;
  return source.isFolder || source.real === there.real || isCaseRename(source, there);
}

/** Whether two names are one to the disk, and not two names of one file. */
function isCaseRename(source: SourceHandle, there: SourceHandle): boolean {
  if (!isSameEntry(source.info, there.info) || source.name === there.name) return false;
  using folder = source.openParent();
  using otherFolder = there.openParent();
  if (!isSameEntry(folder.facts(), otherFolder.facts())) return false;
  return source.isFolder || foldsNames(folder, source.name);
}
