import {
  type EntryPath,
  isInside,
  parentOf,
  parsePath,
  relativePath,
} from "../../../shared/path.ts";
import type { Target } from "../../base/files/target.ts";
import { success } from "../../../shared/result.ts";
import { entryOfHit } from "./hit_kind.ts";
import type { RankedHit } from "./ranking.ts";

/**
 * Results of a search for the actions: a target at the deepest folder that holds all of them. What
 * is below another one of them goes with it.
 *
 * @param base the folder that was searched
 * @param hits at least one
 */
export function targetOfHits(base: EntryPath, hits: readonly RankedHit[]): Target {
  const entries = hits.map((hit) => entryOfHit(hit, base));
  const paths = withoutNested(entries.map(({ path }) => parsePath(path).path));
  let folder = parentOf(paths[0] ?? base);
  while (!paths.every((path) => isInside(path, folder))) folder = parentOf(folder);
  const names = paths.map((path) => relativePath(path, folder).slice(1));
  return {
    folder,
    size: paths.length,
    known: () => entries,
    names: () => Promise.resolve(success(names)),
  };
}

function withoutNested(paths: EntryPath[]): EntryPath[] {
  const all = new Set(paths);
  return paths.filter((path) => {
    for (let above = parentOf(path); above !== "/"; above = parentOf(above)) {
      if (all.has(above)) return false;
    }
    return true;
  });
}
