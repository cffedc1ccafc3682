import { isInside, joinPaths, parentOf, parsePath } from "../../shared/path.ts";
import type { EntryPath } from "../../shared/path.ts";
import { DomainError } from "../../shared/errors.ts";

/**
 * Reads `files=` as clients send it: comma-separated names below the folder, each percent-encoded
 * once more than the query itself, so that a name may contain a comma.
 *
 * @param folder the folder that the URL names
 * @param lists all `files` values of the query, decoded once
 * @returns each path once; null without any `files`
 * @throws {DomainError} `invalid_option` for an empty name or a bad escape, `invalid_path`
 */
export function readSelection(folder: EntryPath, lists: string[]): EntryPath[] | null {
  if (lists.length === 0) return null;
  const paths = lists.flatMap((list) => list.split(",")).map((name) => readName(folder, name));
  return [...new Set(paths)];
}

/**
 * The folder that names in an archive are relative to: the deepest that contains the whole
 * selection. A single folder is itself the base, as when the URL names it.
 */
export function commonFolder(paths: readonly EntryPath[]): EntryPath {
  const [first, second] = paths;
  if (first === undefined) throw new Error("Cannot find the common folder of nothing");
  if (second === undefined) return parentOf(first);
  let common = parentOf(first);
  while (!paths.every((path) => isInside(path, common))) common = parentOf(common);
  return common;
}

/** Drops paths below another selected one: its folder includes them. */
export function withoutNested(paths: EntryPath[]): EntryPath[] {
  const chosen = new Set(paths);
  return paths.filter((path) => {
    for (let above = parentOf(path); above !== "/"; above = parentOf(above)) {
      if (chosen.has(above)) return false;
    }
    return true;
  });
}

function readName(folder: EntryPath, name: string): EntryPath {
  const path = joinPaths(folder, parsePath(decode(name)).path);
  if (path !== folder) return path;
  throw new DomainError("invalid_option", "Cannot archive the selection: a name in it is empty");
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    const reason = `"${name}" has a bad escape`;
    throw new DomainError("invalid_option", `Cannot archive the selection: ${reason}`);
  }
}
