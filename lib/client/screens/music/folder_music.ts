import type { Entry, Sorting } from "../../../shared/api_types.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { parsePath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { type Result, success } from "../../../shared/result.ts";

/** Entries of a folder that are read at a time. */
const WINDOW = 1000;

/** Most tracks of one folder. */
const MAX_TRACKS = 2000;

/** Most entries of one folder that are searched for tracks. */
const MAX_SEARCHED = 30_000;

/** The order of a folder: undefined leaves it to the server. */
export type SortingOf = (folder: EntryPath) => Sorting | undefined;

/** The sounds of a folder, in its order; those of folders below it are left out. */
export async function musicIn(
  api: Pick<Api, "resource">,
  folder: EntryPath,
  sorting: Sorting | undefined,
): Promise<Result<Entry[]>> {
  const found: Entry[] = [];
  let [offset, total] = [0, 1];
  while (offset < Math.min(total, MAX_SEARCHED) && found.length < MAX_TRACKS) {
    const answer = await api.resource(folder, { offset, limit: WINDOW, sorting });
    if (!answer.ok) return answer;
    const { items = [], numDirs = 0, numFiles = 0 } = answer.value;
    found.push(...items.filter(({ type }) => type === "audio"));
    total = numDirs + numFiles;
    offset += Math.max(items.length, 1);
  }
  return success(found.slice(0, MAX_TRACKS));
}

/** The sounds among some entries, and in those that are folders; the first failure counts. */
export async function musicOf(
  api: Pick<Api, "resource">,
  entries: readonly Entry[],
  sortingOf: SortingOf,
): Promise<Result<Entry[]>> {
  const found: Entry[] = [];
  for (const entry of entries) {
    if (entry.type === "audio") found.push(entry);
    if (!entry.isDir) continue;
    const { path } = parsePath(entry.path);
    const inside = await musicIn(api, path, sortingOf(path));
    if (!inside.ok) return inside;
    found.push(...inside.value);
  }
  return success(found.slice(0, MAX_TRACKS));
}
