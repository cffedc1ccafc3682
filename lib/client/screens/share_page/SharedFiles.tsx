import { effect, signal } from "@preact/signals";
import { IS_BROWSER } from "fresh/runtime";
import { useEffect } from "react";
import type { Clock } from "../../../shared/clock.ts";
import type { PageData } from "../../../shared/page_data.ts";
import { mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { TokenUser } from "../../../shared/schemas/user.ts";
import { Api } from "../../base/api/api.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage, useShared } from "../../base/core/page.ts";
import { RootAccess } from "../../base/core/root_access.ts";
import {
  provideSite,
  useApi,
  useConnection,
  useLazy,
  usePrompts,
  useResuming,
  useSession,
  useToasts,
} from "../../base/core/use_site.ts";
import { type Files, provideFiles, useFiles } from "../../base/files/use_files.ts";
import { useShareTools } from "../../base/files/share_tools.ts";
import { type BrowserWindow } from "../../base/navigation/navigation.ts";
import { siteHooks } from "../../base/open_site.ts";
import { ToastStack } from "../../base/ui/Toasts.tsx";
import { OpenActionMenu, OpenDetails } from "../../files_page/layout/FilesArea.tsx";
import { FilesView } from "../../files_page/layout/FilesView.tsx";
import { createFiles } from "../../files_page/layout/open_files.ts";
import { OpenPlayer } from "../../files_page/layout/Overlays.tsx";
import { Prompts } from "../../files_page/layout/Prompts.tsx";
import { useActionMenu } from "../../files_page/menu/use_action_menu.ts";
import { useFollowedFocus } from "../../files_page/listing/use_list_keys.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { nameOf } from "../../../shared/path.ts";
import { SharedCalls } from "./shared_calls.ts";

/** How a visitor sees a folder that is shown here: as photos, by the date of taking. */
const VISITOR = {
  viewMode: "mosaic gallery",
  tileSize: "medium",
  groupBy: "month",
  density: "comfortable",
  typeColumn: "hidden",
  picturesAsPhotos: true,
} as const;

if (IS_BROWSER) {
  provideSite({
    ...siteHooks,
    // With the hooks of the one that it replaces, as pages have called that before.
    useApi: () => {
      const session = useSession();
      const connection = useConnection();
      const resumes = useResuming();
      const { config, share } = usePage().data;
      const options = { baseUrl: config.BaseURL, session, connection, resumes };
      return useShared(
        "shared-api",
        () => new Api(options, share && new SharedCalls(options, share)),
      );
    },
  });
  provideFiles(useSharedFiles);
}

/** The stores of the files page, for what is shared. */
function useSharedFiles(): Files {
  const { data, i18n } = usePage();
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  return useShared("shared-files", () => {
    const { Name } = data.config;
    const { hash = "", name = "" } = data.share ?? {};
    const visitor: PageData = { ...data, user: VISITOR as unknown as TokenUser };
    const browser: BrowserWindow = globalThis as unknown as BrowserWindow;
    return createFiles({
      ...{ data: visitor, i18n, api, prompts, toasts, browser },
      session: { user: signal(null) },
      rootAccess: new RootAccess(),
      area: `share/${hash}`,
      titleOf: ({ path }) => `${displayName(nameOf(path)) || name} - ${Name}`,
    });
  });
}

interface SharedFilesProps {
  clock: Clock;
  /** Whether the folder of the page is shown as photos. */
  asPhotos: boolean;
}

/**
 * What is shared, as users see their files: an open file, or the folder of the page as photos. The
 * page of another folder is loaded, as its head is the server's.
 */
export function SharedFiles({ clock, asPhotos }: SharedFilesProps) {
  const { files: first, share } = usePage().data;
  const { listing, navigation } = useFiles();
  const { path, folder } = navigation.place.value;
  const resource = listing.resource.value;
  const isOpen = resource?.isDir === false;
  const isHere = path === first?.path && folder;
  const tools = useShareTools();
  useFollowedFocus();
  // Needed as soon as the folder is read: both are loaded at the same time.
  useEffect(() => void (asPhotos && import("../../files_page/listing/thumbs/Thumb.tsx")), [
    asPhotos,
  ]);
  useEffect(() => void (tools.opened.value = isOpen ? path : null), [isOpen, path]);
  useEffect(() => {
    if (!asPhotos || listing.status.peek() !== "loading") return;
    void listing.reorder({ sorting: { by: "taken", asc: false }, groupBy: "month" });
  }, [asPhotos]);
  useEffect(() =>
    effect(() => {
      const place = navigation.place.value;
      const isElsewhere = place.folder && place.path !== first?.path;
      const opened = listing.resource.value;
      // The page of a file that is not shown says so; the first file has it already.
      const isClosed = share?.viewOnly && opened?.isDir === false &&
        opened.path !== first?.path && !isShownAlone(opened);
      if (isElsewhere || isClosed) location.reload();
    }), [navigation]);
  return (
    <>
      <div className="sheet">
        {(isOpen || (asPhotos && isHere)) && <FilesView clock={clock} />}
        {!isOpen && asPhotos && <Chosen />}
        <OpenDetails />
      </div>
      <OpenActionMenu />
      <Prompts />
      <OpenPlayer />
      <div className="corner">
        <ToastStack />
      </div>
    </>
  );
}

/** Whether a share for viewing alone shows the content of a file. */
function isShownAlone({ type }: Entry): boolean {
  return mediaTypes.has(type) || type === "text" || type === "textImmutable";
}

const listingParts = lazy(() => import("../../files_page/listing/late_listing.ts"));

/** The bar of what is selected. */
function Chosen() {
  const { listing: { selection: { now, multiple } } } = useFiles();
  const isTransient = useActionMenu().value?.transientSelection;
  const some = multiple.value || (now.value.size > 0 && !isTransient);
  const bar = useLazy(listingParts, some);
  if (!some || !bar) return null;
  return (
    <div className="chosen">
      <p role="status">
        <bar.SelectedText />
      </p>
      <bar.SelectionActs />
    </div>
  );
}
