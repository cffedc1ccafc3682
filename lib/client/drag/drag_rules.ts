import { type EntryPath, isInside, parentOf } from "../../shared/path.ts";

/** What is dragged, and what the user may do with it. */
export interface Dragged {
  paths: readonly EntryPath[];
  mayMove: boolean;
  mayCopy: boolean;
}

/**
 * What a drop on a folder does; null where nothing may be dropped: never onto what is dragged or
 * into it, and where everything lies already only a copy makes sense.
 *
 * @param copying the key that copies is held
 */
export function dropDoes(
  { paths, mayMove, mayCopy }: Dragged,
  folder: EntryPath,
  copying: boolean,
): "copy" | "move" | null {
  if (paths.length === 0 || paths.some((path) => isInside(folder, path))) return null;
  if (copying) return mayCopy ? "copy" : null;
  if (paths.every((path) => parentOf(path) === folder)) return null;
  return mayMove ? "move" : null;
}

/** Whether a folder opens when what is dragged rests on it: any but the open one and its own. */
export function opens({ paths }: Dragged, folder: EntryPath, open: EntryPath): boolean {
  return folder !== open && !paths.some((path) => isInside(folder, path));
}
