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
  download: Offer;
  remove: Offer;
  /** One entry at a time. */
  rename: Offer;
  move: Offer;
  copy: Offer;
  /** One entry at a time. */
  share: Offer;
}

/** What the user may do with the folder on screen and what is selected in it. */
export function useFileActions(): FileActions {
  const { user } = usePage().data;
  const { listing } = useFiles();
  const { size } = listing.selection.now.value;
  const may = (permission: "create" | "download" | "delete" | "rename" | "share") =>
    user?.perm.admin || user?.perm[permission] || false;
  return {
    create: may("create"),
    here: listing.resource.value?.isDir ?? listing.status.value === "loading",
    download: { allowed: may("download"), now: size > 0 },
    remove: { allowed: may("delete"), now: size > 0 },
    rename: { allowed: may("rename"), now: size === 1 },
    move: { allowed: may("rename"), now: size > 0 },
    copy: { allowed: may("create"), now: size > 0 },
    share: { allowed: may("share") && may("download"), now: size === 1 },
  };
}
