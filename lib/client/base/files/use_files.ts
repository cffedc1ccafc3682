import type { Signal } from "@preact/signals";
import { useTranslation } from "react-i18next";
import type { Favorite } from "../../../shared/schemas/places.ts";
import type { Actions } from "../../files_page/actions/actions.ts";
import type { Clipboard } from "../../files_page/actions/clipboard.ts";
import { Provided, useMay } from "../core/use_site.ts";
import { usePage } from "../core/page.ts";
import { useShellPanel } from "../core/use_panels.ts";
import { useRootAccess } from "../core/root_access.ts";
import type { Listing } from "../../files_page/listing/listing.ts";
import type { ViewModes } from "../../files_page/listing/view/view_modes.ts";
import type { Tasks } from "./tasks.ts";
import type { LazyUploads } from "../../files_page/uploads/lazy_uploads.ts";
import type { Navigation } from "../navigation/navigation.ts";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { useEffect, useRef } from "react";

/** The stores of the files page. */
export interface Files {
  navigation: Navigation;
  listing: Listing;
  view: ViewModes;
  uploads: LazyUploads;
  /** Copies, moves and deletions under way. */
  tasks: Tasks;
  /** The copied or cut entries. */
  clipboard: Clipboard;
  /** Whether the details are shown at the side. */
  details: Signal<boolean>;
  actions: Actions;
  /** The user's favourites, in their order. */
  favorites: Signal<readonly Favorite[]>;
}

const files = new Provided<() => Files>("files");

/** Sets the hook that opens the stores; `lib/client/files_page/layout/open_files.ts` calls it. */
export function provideFiles(open: () => Files): void {
  files.provide(open);
}

/** The stores of the files page. Read their signals in the component that shows them. */
export function useFiles(): Files {
  return files.get()();
}

/** The state of the open folder or file, regardless of the selection. */
export interface FileActions {
  /** Whether the user may create entries here. */
  create: boolean;
  /** Nothing can be changed in the open folder, whatever the permissions. */
  closed: boolean;
  /** A folder is open or loading. */
  here: boolean;
  /** Whether the user may read the content of files. */
  download: boolean;
  /** Whether commands can be typed: the server refuses them where nothing can be changed. */
  shell: boolean;
}

/** The actions in the open folder; for the selection see `useCommands()`. */
export function useFileActions(): FileActions {
  const may = useMay();
  const { allowed: hasShell } = useShellPanel();
  const { listing, navigation } = useFiles();
  const folder = presentFolder({ navigation, listing });
  const canAdd = useRootAccess().canAddTo(folder);
  const closed = !listing.isFlat && (!canAdd || listing.resource.value?.readOnly === true);
  return {
    create: may("create") && !closed,
    closed,
    download: may("download"),
    shell: hasShell && !closed,
    here: listing.resource.value?.isDir ??
      (listing.status.value === "loading" && navigation.place.value.folder),
  };
}

/** The name of the folder or file on screen. */
export function usePlaceName(): string {
  const { t } = useTranslation();
  const { listing } = useFiles();
  const { share } = usePage().data;
  return nameOf(listing.path.value) || (share?.name ?? t("files.myFiles"));
}

/** The folder on screen, or the one that holds the file on screen. */
export function presentFolder({ navigation, listing }: Pick<Files, "navigation" | "listing">) {
  const { path, folder } = navigation.place.value;
  const resource = listing.path.value === path ? listing.resource.value : null;
  const here: EntryPath = resource?.isDir ?? folder ? path : parentOf(path);
  return here;
}

/** Calls `close` once another place is shown, by the back button or otherwise. */
export function useLeftPlace(close: () => void): void {
  const { path } = useFiles().navigation.place.value;
  const first = useRef(path);
  useEffect(() => {
    if (path !== first.current) close();
  }, [path]);
}
