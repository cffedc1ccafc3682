import { useFiles } from "../navigation/use_files.ts";
import { useMay } from "../core/page.ts";

/** What holds of the place on screen, whatever is selected in it. */
export interface FileActions {
  /** Whether the user may put something here. */
  create: boolean;
  /** A folder is on screen, or on its way. */
  here: boolean;
}

/** What the user may do with the place on screen; for what is selected see `useCommands()`. */
export function useFileActions(): FileActions {
  const may = useMay();
  const { listing, navigation } = useFiles();
  return {
    create: may("create"),
    here: listing.resource.value?.isDir ??
      (listing.status.value === "loading" && navigation.place.value.folder),
  };
}
