import { DomainError } from "../errors.ts";
import type { FolderHandle } from "../access/folder_handle.ts";
import { lstatIfThere } from "../access/lstat.ts";
import type { Steps } from "../files/steps.ts";

/** A folder of which everything below may be known. */
export interface CheckedFolder {
  folder: FolderHandle;
  /** The folders in it; links to folders are entries like others and are not entered. */
  folders: CheckedFolder[];
  /** How many entries there are below, at any depth. */
  count: number;
}

/**
 * Looks through all that is below a folder before it is deleted, moved or copied: one entry that
 * the viewer may not know of, at any depth, refuses the whole.
 *
 * @param action for the message: `Cannot delete "/a"`
 * @throws {DomainError} `forbidden`
 */
export function* checkBelow(folder: FolderHandle, action: string): Steps<CheckedFolder> {
  const { children, denied, unnameable } = folder.read();
  if (denied > 0) {
    throw new DomainError("forbidden", `${action}: something below it is out of reach`);
  }
  yield;
  const checked: CheckedFolder = { folder, folders: [], count: children.length + unnameable };
  for (const child of children) {
    const below = child.isFolder && !child.target ? folder.enter(child) : null;
    if (!below) continue;
    try {
      const inner = yield* checkBelow(below, action);
      checked.folders.push(inner);
      checked.count += inner.count;
    } catch (error) {
      if (!isGone(below)) throw error;
    }
  }
  return checked;
}

/** Whether somebody else has removed or moved the folder since it was found. */
export function isGone(folder: FolderHandle): boolean {
  return lstatIfThere(folder.real) === null;
}
