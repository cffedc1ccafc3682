import type { Resource } from "./schemas/entry.ts";
import type { Timeline } from "./schemas/timeline.ts";

/**
 * The timeline as a folder that is listed as photos: the names of its entries are their paths, as
 * those of one folder are not alike.
 */
export function timelineList(
  { items, total, offset, stamp, groups }: Timeline,
  groupBy: "month" | "day",
): Resource {
  return {
    ...{ name: "", path: "/", isDir: true, isSymlink: false, type: "listing", extension: "" },
    ...{ size: 0, mode: 0, modified: stamp, numDirs: 0, numFiles: total },
    items: items.map((entry) => ({ ...entry, name: entry.path.slice(1) })),
    ...{ offset, groups, groupBy },
    sorting: { by: "taken", asc: false },
    view: { viewMode: "mosaic gallery" },
  };
}
