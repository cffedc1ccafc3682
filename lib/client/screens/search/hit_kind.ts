import type { Entry } from "../../../shared/api_types.ts";
import { entryByName } from "../../../shared/entry_by_name.ts";
import { type EntryPath, joinPaths, parsePath } from "../../../shared/path.ts";
import type { SearchHit } from "./search_query.ts";

/**
 * A result as an entry of a listing; its type is judged by its name.
 *
 * @param base the folder that was searched
 */
export function entryOfHit(
  { path, dir, size = 0, modified = "" }: SearchHit,
  base: EntryPath,
): Entry {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return {
    name,
    path: joinPaths(base, parsePath(path).path),
    ...entryByName(name, dir),
    size,
    modified,
    mode: 0,
  };
}
