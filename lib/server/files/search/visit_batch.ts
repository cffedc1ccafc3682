import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { SearchFolder } from "../../core/access/search_folder.ts";
import type { FolderVisit } from "./folder_visit.ts";

/** Time of one batch, in milliseconds: a cancelled walk goes on for that long. */
const maxMs = 8;

/** Length of the results of one batch, in characters, after which no more folders are visited. */
const partLength = 64 * 1024;

/** A folder with more hits is left to the walk itself, which waits for a slow reader. */
const maxHits = 1_000;

/** The result of visiting some folders. Plain data: texts are cheap to post. */
export interface Visited {
  /** The number of folders that were visited; the others are left to do. */
  count: number;
  /** The results, one JSON object a line. */
  lines: string;
  /** The subfolders, as of {@link packFolders}. */
  branches: string;
}

/**
 * Visits folders in their order and gathers the results, until they are many or it takes long. No
 * folder is visited when the first has too many hits to be gathered.
 */
export function visitBatch(visit: FolderVisit, folders: readonly SearchFolder[]): Visited {
  const end = performance.now() + maxMs;
  const visited: Visited = { count: 0, lines: "", branches: "" };
  const branches: SearchFolder[] = [];
  for (const folder of folders) {
    const found = visit.pickIfThere(folder);
    if (found.hits.length > maxHits) break;
    for (const result of visit.results(folder, found.hits)) {
      visited.lines += `${JSON.stringify(result)}\n`;
    }
    for (const branch of found.branches) branches.push(branch);
    visited.count++;
    if (visited.lines.length >= partLength || performance.now() >= end) break;
  }
  visited.branches = packFolders(branches);
  return visited;
}

/** Folders of a walk as one text, for another thread. */
export function packFolders(folders: readonly SearchFolder[]): string {
  return folders.map(({ below, caseInsensitive }) => caseInsensitive ? `i${below}` : below)
    .join("\0");
}

/** The inverse of {@link packFolders}. @param top the folder at which the walk began */
export function unpackFolders(top: FolderHandle, packed: string): SearchFolder[] {
  if (packed === "") return [];
  return packed.split("\0").map((text) => {
    const caseInsensitive = !text.startsWith("/");
    return SearchFolder.below(top, caseInsensitive ? text.slice(1) : text, caseInsensitive);
  });
}
