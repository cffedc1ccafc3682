import { DomainError } from "../../shared/errors.ts";
import type { FolderHandle } from "../core/access/folder_handle.ts";
import type { Pauses } from "../core/concurrency/pauses.ts";

/**
 * Checks a folder's whole subtree before it is deleted: one entry hidden from the viewer, at any
 * depth, refuses the deletion. Links to folders are not followed.
 *
 * @param action for the message: `Cannot delete "/a"`
 * @returns the number of entries below
 * @throws {DomainError} `forbidden`
 */
export async function checkBelow(
  top: FolderHandle,
  action: string,
  pauses: Pauses,
): Promise<number> {
  const waiting = [top];
  let count = 0;
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const children = childrenOf(folder, action, folder === top);
    count += children.length;
    if (pauses.isDue) await pauses.pause();
    for (const child of children) {
      const below = child.isFolder && !child.target ? folder.enter(child) : null;
      if (below) waiting.push(below);
    }
  }
  return count;
}

function childrenOf(folder: FolderHandle, action: string, isTop: boolean) {
  try {
    const { children, denied } = folder.read();
    if (denied === 0) return children;
  } catch (error) {
    // Another request has removed or moved it concurrently.
    if (!isTop && folder.isGone) return [];
    throw error;
  }
  throw new DomainError("forbidden", `${action}: access to an entry below it is denied`);
}
