import type { Access } from "../../core/access/access.ts";
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
}

/**
 * Opens the selected entries of an archive.
 *
 * @param folder the folder that the request names
 * @param chosen the selected paths; null for the whole folder
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`: for any of the chosen
 */
export function enterTree(access: Access, folder: EntryPath, chosen: EntryPath[] | null): Tree {
  access.need(`Cannot archive "${folder}"`, "download");
  const top = access.folder(folder);
  if (!chosen) return { files: [], folders: [{ handle: top, name: "" }] };

  for (const path of chosen) access.stat(path);
  const paths = withoutNested(chosen).sort();
  const [only] = paths;
  if (only !== undefined && paths.length === 1 && access.stat(only).isFolder) {
    return { files: [], folders: [{ handle: access.folder(only), name: "" }] };
  }
  const tree: Tree = { files: [], folders: [] };
  for (const [path, name] of namesOf(paths)) {
    if (access.stat(path).isFolder) tree.folders.push({ handle: access.folder(path), name });
    else tree.files.push({ source: new ChosenFile(access, path), name });
  }
  return tree;
}

/** Each path with its name relative to their common folder. */
function namesOf(paths: EntryPath[]): [EntryPath, string][] {
  const common = commonFolder(paths);
  const names = safeNames(paths.map((path) => relativePath(path, common).slice(1)), safePath);
  return paths.map((path, index) => [path, names[index] ?? ""]);
}
