import type { EntryPath } from "../../../shared/path.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { isBelow, realParent, type RealPath } from "../../core/disk/real_path.ts";
import type { SourceHandle } from "../../core/access/source_handle.ts";
import { foldsNames } from "../../core/access/disk_spelling.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import { disk } from "../../core/disk/this_disk.ts";

/** Source and destination of a transfer, and what to do on a conflict. */
export interface TransferRequest {
  action: "copy" | "move";
  from: EntryPath;
  /** The new path itself, not the folder that will contain it. */
  to: EntryPath;
  /** Replaces an existing file, merges into an existing folder. Needs modify as well. */
  override: boolean;
  /** Picks another name on a conflict. Precedes `override`. */
  rename: boolean;
  /** Lets another call go on with what an aborted one has copied. */
  resumable?: ResumableCopy;
  /** Whether the inodes that entries get on another disk are reported. */
  tellsInodes?: boolean;
}

/** The mark of the unfinished copy of a transfer. */
export interface ResumableCopy {
  /** The name of its staging folder: a temporary name. An aborted transfer leaves it. */
  staging: string;
  /** When the transfer was first begun, in milliseconds since 1970. */
  since: number;
}

/** For messages: `Cannot copy "/a.txt"`. */
export function actionOf({ action, from }: TransferRequest): string {
  return `Cannot ${action} "${from}"`;
}

/** The destination name is taken: with `rename`, the next name is tried. */
export class NameTaken extends DomainError {
  constructor(action: string) {
    super("exists", `${action}: the destination already exists`);
  }
}

/** The way to take a name, given the entry that has it. */
export type Conflict =
  /** The name is free. */
  | "free"
  /** A file has it, and will be replaced. */
  | "replace"
  /** A folder has it, and will be merged with the new one. */
  | "merge"
  /** The entry itself has it: a change of case on a case-insensitive disk. */
  | "caseRename";

/**
 * Decides whether an entry may take a path, given the existing entry there.
 *
 * @param there the entry at the path, not following a symlink
 * @throws {NameTaken} where another name may be picked, or the client may ask to replace
 * @throws {DomainError} `invalid_path` for itself and its own folder; `exists` for another kind of
 * entry, or a link; `not_a_file`; `forbidden` without the permission to modify
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

/** The entry at a path, not following a symlink; null without one. */
export function entryAt(access: Access, path: EntryPath, isCopy: boolean): SourceHandle | null {
  return unlessRefused(() => isCopy ? access.copy(path) : access.rename(path), "not_found");
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
 * Whether a real path is a folder or lies below it. Compares folders by inode, not by path, so that
 * another spelling or a bind mount can't deceive it.
 */
export function liesIn(path: RealPath, { info, bounds }: SourceHandle): boolean {
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

/** Whether two names are the same to the disk, and not two hard links to one file. */
function isCaseRename(source: SourceHandle, there: SourceHandle): boolean {
  if (!isSameEntry(source.info, there.info) || source.name === there.name) return false;
  using folder = source.openParent();
  using otherFolder = there.openParent();
  if (!isSameEntry(folder.facts(), otherFolder.facts())) return false;
  return source.isFolder || foldsNames(folder, source.name);
}
