import { DomainError } from "../../../shared/errors.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import { childOf, type EntryPath, nameOf, parentOf, ROOT } from "../../../shared/path.ts";
import type { Access } from "../../access/access.ts";

/** Most names that are tried for a new entry. */
const maxNames = 10_000;

/**
 * A path like the wanted one at which nothing is: `a.txt`, `a(1).txt`, … A folder on the way whose
 * name a file has is numbered in the same way, so that a stranger learns of no name.
 *
 * @throws {DomainError} `exists` when all numbered names are taken; `forbidden`, `invalid_name`
 */
export function freePath(access: Access, wanted: EntryPath): EntryPath {
  let top = parentOf(wanted);
  const folders: string[] = [];
  for (; top !== ROOT && !isFolder(access, top); top = parentOf(top)) folders.unshift(nameOf(top));
  for (const name of folders) {
    top = firstOf(top, name, true, (path) => isFolder(access, path) || !isThere(access, path));
  }
  return firstOf(top, nameOf(wanted), false, (path) => !access.create(path).existing);
}

function firstOf(
  folder: EntryPath,
  wanted: string,
  isDir: boolean,
  isFree: (path: EntryPath) => boolean,
): EntryPath {
  for (let number = 0; number < maxNames; number++) {
    const name = number === 0 ? wanted : numberedName(wanted, number, isDir);
    const path = childOf(folder, name);
    if (isFree(path)) return path;
  }
  throw new DomainError("exists", "Cannot take the file: all numbered names are taken");
}

function isFolder(access: Access, path: EntryPath): boolean {
  return unlessMissing(() => access.stat(path).isFolder);
}

function isThere(access: Access, path: EntryPath): boolean {
  return unlessMissing(() => access.itself(path) !== null);
}

function unlessMissing(look: () => boolean): boolean {
  try {
    return look();
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return false;
    throw error;
  }
}
