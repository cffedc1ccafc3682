import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import { childOf, type EntryPath, nameOf, parentOf, ROOT } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { etagOf } from "../content/open_content.ts";

/** Most names that are tried for a new entry. */
const maxNames = 10_000;

/**
 * A path like the wanted one at which nothing is: `a.txt`, `a(1).txt`, … A folder on the way whose
 * name a file has is numbered in the same way, so that a stranger learns of no name.
 *
 * @throws {DomainError} `exists` when all numbered names are taken; `forbidden`, `invalid_name`
 */
export function freePath(access: Access, wanted: EntryPath): EntryPath {
  return firstPath(access, wanted, (info) => info === null);
}

/**
 * The path and ETag of a file that got the wanted path or a free one like it; null when it is at
 * none of them.
 *
 * @throws {DomainError} as {@link freePath}
 */
export function findNamed(
  access: Access,
  wanted: EntryPath,
  { ino, length }: { ino: number | null; length: number },
): { path: EntryPath; etag: string } | null {
  if (ino === null) return null;
  const isIt = (info: Facts) => info.isFile && info.ino === ino && info.size === length;
  const path = firstPath(access, wanted, (info) => info === null || isIt(info));
  const info = access.create(path).existing?.info;
  return info ? { path, etag: etagOf(info) } : null;
}

function firstPath(
  access: Access,
  wanted: EntryPath,
  isWanted: (info: Facts | null) => boolean,
): EntryPath {
  let top = parentOf(wanted);
  const folders: string[] = [];
  for (; top !== ROOT && !isFolder(access, top); top = parentOf(top)) folders.unshift(nameOf(top));
  for (const name of folders) {
    top = firstOf(top, name, true, (path) => isFolder(access, path) || !isThere(access, path));
  }
  return firstOf(top, nameOf(wanted), false, (path) => {
    return isWanted(access.create(path).existing?.info ?? null);
  });
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
  return unlessRefused(() => access.stat(path).isFolder, "not_found") ?? false;
}

function isThere(access: Access, path: EntryPath): boolean {
  return unlessRefused(() => access.itself(path) !== null, "not_found") ?? false;
}
