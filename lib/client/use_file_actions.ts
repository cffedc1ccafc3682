import { usePage } from "./page.ts";
import { useFiles } from "./use_files.ts";

/** An action: whether this user may at all, and whether the selection calls for it. */
export interface Offer {
  allowed: boolean;
  now: boolean;
}

/** Which actions the files page offers. */
export interface FileActions {
  create: boolean;
  /** A folder is on screen, or on its way. */
  here: boolean;
  /** One file at a time. */
  download: Offer;
  remove: Offer;
}

/** What the user may do with the folder on screen and what is selected in it. */
export function useFileActions(): FileActions {
  const { user } = usePage().data;
  const { listing } = useFiles();
  const rows = listing.rows.value;
  const selected = listing.selection.now.value;
  const may = (permission: "create" | "download" | "delete") =>
    user?.perm.admin || user?.perm[permission] || false;
  return {
    create: may("create"),
    here: listing.resource.value?.isDir ?? listing.status.value === "loading",
    download: { allowed: may("download"), now: selected.size === 1 && isFile() },
    remove: { allowed: may("delete"), now: selected.size > 0 },
  };

  /** The one selected entry is looked for among the loaded rows, the cursor's first. */
  function isFile(): boolean {
    const at = listing.cursor.index.value;
    if (selected.has(at)) return rows.at(at)?.isDir === false;
    for (let index = 0; index < rows.total; index++) {
      if (selected.has(index)) return rows.at(index)?.isDir === false;
    }
    return false;
  }
}
