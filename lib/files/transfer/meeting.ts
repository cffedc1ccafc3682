import { DomainError } from "../../errors.ts";
import type { Access } from "../../access/access.ts";
import { isSameEntry } from "../../access/identity.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import type { EntryPath } from "../../access/path.ts";
import { isBelow, realName, realParent, type RealPath } from "../../access/real_path.ts";
import type { SourceHandle } from "../../access/source_handle.ts";
import { foldsNames } from "../../access/spelling.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import { actionOf, NameTaken, type TransferRequest } from "./request.ts";

/** What an entry meets at the destination. */
export type Meeting =
  /** Nothing has the name. */
  | "free"
  /** A file has it, and is replaced. */
  | "replace"
  /** A folder has it, and takes in what the folder holds. */
  | "merge"
  /** The entry itself has it: only its letters change, on a disk that does not tell them apart. */
  | "respell";

/**
 * Judges whether an entry may take a path, as far as that depends on what is there.
 *
 * @param there what is at the path, not following a link
 * @throws {NameTaken} where another name may be picked, or the caller may ask to replace
 * @throws {DomainError} `invalid_path` for itself and for the folder it is in; `exists` for another
 * kind of entry, or a link; `not_a_file`; `forbidden` without the permission to modify
 */
export function judgeMeeting(
  access: Access,
  source: SourceHandle,
  there: SourceHandle | null,
  request: TransferRequest,
): Meeting {
  const action = actionOf(request);
  if (!there) return "free";
  if (isItself(source, there)) {
    if (request.action === "copy" && request.rename) throw new NameTaken(action);
    if (request.action === "move" && isRespelled(source, there)) return "respell";
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

/** What is at a path, not following a link; null when nothing is. */
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
    const here = lstatIfThere(folder);
    if (here && isSameEntry(here, info)) return true;
    if (folder === "/") break;
  }
  return false;
}

function isItself(source: SourceHandle, there: SourceHandle): boolean {
  if (!isSameEntry(source.info, there.info)) return false;
  return source.isFolder || source.real === there.real || isRespelled(source, there);
}

/** Whether two names are one to the disk, and not two names of one file. */
function isRespelled(source: SourceHandle, there: SourceHandle): boolean {
  if (!isSameEntry(source.info, there.info)) return false;
  const folder = realParent(source.real);
  const otherFolder = realParent(there.real);
  const [name, otherName] = [realName(source.real), realName(there.real)];
  if (name === otherName || !isSameEntry(Deno.lstatSync(folder), Deno.lstatSync(otherFolder))) {
    return false;
  }
  return source.isFolder || foldsNames(folder, name);
}
