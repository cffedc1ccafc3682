import { CalendarDays, Images, Map as MapGlyph, X } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { ErrorScreen, StatusScreen } from "../../../../components/StatusScreen.tsx";
import type { Clock } from "../../../shared/clock.ts";
import { ROOT } from "../../../shared/path.ts";
import type { Memory, PlaceBox } from "../../../shared/schemas/timeline.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useApi, useLazy } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { BellButton } from "../../files_page/layout/header/BellButton.tsx";
import { FileView } from "../../files_page/layout/FilesView.tsx";
import { OpenActionMenu, OpenDetails } from "../../files_page/layout/FilesArea.tsx";
import { Corner, ExpiredSession } from "../../files_page/layout/Overlays.tsx";
import { listSources } from "../../files_page/layout/open_files.ts";
import { Prompts } from "../../files_page/layout/Prompts.tsx";
import { PageSidebar } from "../../files_page/layout/sidebar/PageSidebar.tsx";
import { SidebarButton } from "../../files_page/layout/sidebar/SidebarContent.tsx";
import { usePageKeys } from "../../files_page/layout/use_page_keys.ts";
import { useFollowedFocus } from "../../files_page/listing/use_list_keys.ts";
import { FileList } from "../../files_page/listing/FileList.tsx";
import { ListingSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { useActionMenu } from "../../files_page/menu/use_action_menu.ts";
import { Memories } from "./Memories.tsx";
import { PhotosSource } from "./photos_source.ts";

const listingParts = lazy(() => import("../../files_page/listing/late_listing.ts"));
const map = lazy(() => import("./PhotoMap.tsx"));

listSources.set("photos", (api) => new PhotosSource(api));

/** How often the list is read again while the server still reads photos, in milliseconds. */
const REFRESH_MS = 5_000;

/** The props of {@linkcode PhotosPage}. */
export interface PhotosPageProps {
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The photos of this day in former years. */
  memories: readonly Memory[];
}

/** The photos and videos of all folders by when they were taken, with a map of them. */
export function PhotosPage({ clock, memories }: PhotosPageProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { listing } = useFiles();
  const source = listing.source as PhotosSource;
  const [hasMap, setMap] = useState(false);
  useFollowedFocus();
  usePageKeys();
  useRefresh(source);
  const isOpen = listing.resource.value?.isDir === false;
  const isByDay = source.groupBy.value === "day";
  const narrow = (within: PlaceBox | null) => {
    source.within.value = within;
    setMap(false);
    void listing.open(ROOT);
  };
  return (
    <>
      <div className="shell">
        <PageSidebar at="photos" onSignOut={() => void api.signOut()} />
        <div className="shell__main">
          <header className="header">
            <SidebarButton />
            <h1 className="header__title">{t("places.photos")}</h1>
            <div className="photos-ways">
              <IconButton
                label={t("views.day")}
                glyph={CalendarDays}
                aria-pressed={isByDay}
                onClick={() => {
                  source.groupBy.value = isByDay ? "month" : "day";
                  void listing.reload();
                }}
              />
              <IconButton
                label={t("photos.map")}
                glyph={MapGlyph}
                aria-pressed={hasMap}
                onClick={() => setMap(!hasMap)}
              />
            </div>
            <BellButton />
          </header>
          <main className="sheet" id="content">
            <PhotosBar source={source} onAll={() => narrow(null)} />
            {hasMap && !isOpen ? <OpenMap source={source} onOpen={narrow} /> : (
              <PhotosView
                clock={clock}
                memories={source.within.value ? [] : memories}
                isReading={source.unread.value > 0}
              />
            )}
            <OpenDetails />
            <OpenActionMenu />
          </main>
        </div>
      </div>
      <Corner />
      <Prompts />
      <ExpiredSession />
    </>
  );
}

interface PhotosBarProps {
  source: PhotosSource;
  /** Shows the photos of all places again. */
  onAll: () => void;
}

/** The number of photos; while some are selected, the bar of those. */
function PhotosBar({ source, onAll }: PhotosBarProps) {
  const { t } = useTranslation();
  const { listing } = useFiles();
  const menu = useActionMenu();
  const { now, multiple } = listing.selection;
  const some = multiple.value || (now.value.size > 0 && !menu.value?.transientSelection);
  const parts = useLazy(listingParts, some);
  const bar = some ? parts : null;
  const count = listing.resource.value?.numFiles ?? 0;
  return (
    <div className="subhead photos-bar">
      <div className={bar ? "chosen" : "subhead__count"}>
        <p role="status" aria-live={bar ? "polite" : "off"}>
          {bar ? <bar.SelectedText /> : t("files.fileCount", { count })}
          {!bar && source.unread.value > 0 && ` · ${t("photos.reading")}`}
        </p>
        {bar && <bar.SelectionActs />}
      </div>
      {!bar && source.within.value && (
        <Button variant="quiet" glyph={X} onClick={onAll}>{t("photos.allPlaces")}</Button>
      )}
    </div>
  );
}

interface PhotosViewProps {
  clock: Clock;
  memories: readonly Memory[];
  /** Whether the server still looks for photos. */
  isReading: boolean;
}

/** The list of photos, one of them, or why there are none. */
function PhotosView({ clock, memories, isReading }: PhotosViewProps) {
  const { t } = useTranslation();
  const { listing } = useFiles();
  const resource = listing.resource.value;
  if (listing.status.value === "failed") {
    return (
      <ErrorScreen status={listing.failure.value?.status ?? 500}>
        <Button onClick={() => void listing.open(ROOT)}>{t("buttons.retry")}</Button>
      </ErrorScreen>
    );
  }
  if (listing.status.value === "loading" || !resource) return <ListingSkeleton />;
  if (!resource.isDir) return <FileView entry={resource} clock={clock} />;
  if (listing.rows.value.total === 0) {
    const text = t(isReading ? "photos.reading" : "photos.emptyText");
    return <StatusScreen glyph={Images} title={t("photos.emptyTitle")} text={text} />;
  }
  return (
    <FileList
      name={t("places.photos")}
      clock={clock}
      above={memories.length > 0 && <Memories memories={memories} />}
    />
  );
}

/** The map, whose code and outlines are loaded late. */
function OpenMap(props: { source: PhotosSource; onOpen: (within: PlaceBox) => void }) {
  const code = useLazy(map, true);
  return code ? <code.PhotoMap {...props} /> : <ListingSkeleton />;
}

/** Reads the list again while the server reads photos, and when the page is seen again. */
function useRefresh(source: PhotosSource): void {
  const { listing } = useFiles();
  const isReading = source.unread.value > 0;
  const isEmpty = listing.rows.value.total === 0;
  useEffect(() => {
    if (!isReading && !isEmpty) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void listing.reload();
    }, isEmpty ? REFRESH_MS / 2 : REFRESH_MS);
    return () => clearInterval(timer);
  }, [listing, isReading, isEmpty]);
}
