import { useFiles } from "./use_files.ts";
import { useMay } from "./page.ts";
import { nameOf } from "../access/path.ts";
import { useTranslation } from "../i18n/use_translation.ts";

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

/** The name of the folder or file on screen. */
export function usePlaceName(): string {
  const { t } = useTranslation();
  const { listing } = useFiles();
  return nameOf(listing.path.value) || t("files.myFiles");
}
