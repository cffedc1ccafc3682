import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { type EntryPath, relativePath } from "../../../shared/path.ts";
import { ChosenFile } from "./chosen_file.ts";
import { safeNames, safePath } from "./entry_names.ts";
import { commonFolder, withoutNested } from "./selection.ts";

/** The top entries of an archive, before anything below them is read. */
export interface Tree {
  /** Selected files, with their names in the archive. */
  files: { source: ChosenFile; name: string }[];
  /** Folders; the name "" puts the entries of a single selected folder at the top. */
  folders: { handle: FolderHandle; name: string }[];
  /** Selected pipes, sockets and devices, which are left out. */
  others: EntryPath[];
}

/**
 * Opens the selected entries of an archive. Pipes, sockets and devices are left out, unless nothing
 * else is selected.
 *
 * @param folder the folder that the request names
 * @param chosen the selected paths; null for the whole folder
 * @throws {DomainError} `forbidden`, `not_found`: for any of the chosen; `not_a_file`
 */
export function enterTree(access: Access, folder: EntryPath, chosen: EntryPath[] | null): Tree {
  access.need(`Cannot archive "${folder}"`, "download");
  const top = access.folder(folder);
  const tree: Tree = { files: [], folders: [], others: [] };
  if (!chosen) return { ...tree, folders: [{ handle: top, name: "" }] };

  for (const path of chosen) access.stat(path);
  const paths = withoutNested(chosen).sort();
  const others = new Set(paths.filter((path) => isOther(access.stat(path))));
  if (others.size < paths.length) tree.others.push(...others);
  const [only] = paths;
  if (only !== undefined && paths.length === 1 && access.stat(only).isFolder) {
    return { ...tree, folders: [{ handle: access.folder(only), name: "" }] };
  }
  for (const [path, name] of namesOf(paths)) {
    if (tree.others.length > 0 && others.has(path)) continue;
    if (access.stat(path).isFolder) tree.folders.push({ handle: access.folder(path), name });
    else tree.files.push({ source: new ChosenFile(access, path), name });
  }
  return tree;
}

function isOther({ isFile, isFolder, isBroken }: EntryHandle): boolean {
  return !isFile && !isFolder && !isBroken;
}

/** Each path with its name relative to their common folder. */
function namesOf(paths: EntryPath[]): [EntryPath, string][] {
  const common = commonFolder(paths);
  const names = safeNames(paths.map((path) => relativePath(path, common).slice(1)), safePath);
  return paths.map((path, index) => [path, names[index] ?? ""]);
}
