import { type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import type { Rows } from "./rows.ts";

/**
 * The file at a path, when enough of it is known to show it without asking: of a text there is the
 * content besides, and of a name that tells nothing ("NOTES") a folder does not say what is in it.
 *
 * @param rows what is loaded of the folder on screen
 * @param expected a file that may be opened next
 */
export function knownFile(
  path: EntryPath,
  folder: EntryPath,
  rows: Rows,
  expected: Entry | undefined,
): Entry | undefined {
  const beside = parentOf(path) === folder ? rows.at(rows.indexOf(nameOf(path))) : undefined;
  const entry = expected?.path === path ? expected : beside;
  return entry && !/^(text|blob|listing)/.test(entry.type) ? entry : undefined;
}
