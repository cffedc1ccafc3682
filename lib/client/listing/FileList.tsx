import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { AbsentRow } from "./Skeletons.tsx";
import { MarqueeBox, useMarquee } from "../selection/Marquee.tsx";
import { ColumnHead } from "./ColumnHead.tsx";
import { EntryRow } from "./EntryRow.tsx";
import type { Entry } from "../../shared/api_types.ts";
import { formatBytes, formatExact, formatRelative } from "../core/format.ts";
import { restoreListing } from "./kept_listing.ts";
import { unmarkText } from "./page_dom.ts";
import { useMay, usePage } from "../core/page.ts";
import { useClock } from "../core/use_clock.ts";
import type { Clock } from "../../shared/clock.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useKeptPlace } from "./use_kept_place.ts";
import { useListKeys } from "./use_list_keys.ts";
import { useListPointer } from "./use_list_pointer.ts";
import { useRowMenu } from "../menu/use_action_menu.ts";
import { useWindow } from "./use_window.ts";
import { useTranslation } from "../core/use_translation.ts";
import { lazy } from "../core/lazy.ts";
import { useApi, useLazy } from "../core/use_site.ts";
import { parsePath } from "../../shared/path.ts";
import { filesHref } from "../navigation/navigation.ts";

const listingParts = lazy(() => import("./listing_parts.ts"));

interface FileListProps {
  /** The name of the folder. */
  name: string;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** The rows of a folder, of which only those in view are in the document. */
export function FileList({ name, clock }: FileListProps) {
  const { t, language } = useTranslation();
  const { user, config } = usePage().data;
  const { listing, navigation, view, clipboard } = useFiles();
  const { now, timeZone } = useClock(clock);
  const hrefOf = useEntryHref();
  const may = useMay();
  const rows = listing.rows.value;
  const selected = listing.selection.now.value;
  const cut = clipboard.cutIn(listing.path.value);
  const multiple = listing.selection.multiple.value;
  const at = listing.cursor.index.value;
  const mode = view.mode.value;

  const pictured = mode === "mosaic gallery" && config.EnableThumbs && may("download");
  const code = useLazy(listingParts, pictured);
  const head = useRef<HTMLDivElement>(null);
  const list = useWindow(rows.total, mode, () => head.current?.offsetHeight ?? 0);
  const { first, last, box, page, columns } = list;
  const pointer = useListPointer();
  const band = useMarquee(list);
  const menu = useRowMenu();
  const byThumb = useMedia("(max-width: 736px), (pointer: coarse)");
  useListKeys(list);
  useKeptPlace(list, rows, listing.path.value, listing.sorting.value);

  useEffect(() => listing.cursor.layout(columns, page, document.dir === "rtl"), [columns, page]);
  useEffect(() => listing.ensure(first, last), [listing, first, last, rows]);
  useLayoutEffect(() => {
    const scroller = list.scroller.current;
    if (!scroller) return;
    navigation.scrollsIn(scroller);
    // When returning from a file it is selected already, so nothing is restored.
    const from = listing.cursor.index.peek();
    if (from < 0) restoreListing(listing, navigation.kept());
    list.scrollTo(navigation.savedScroll(), from);
  }, [navigation, listing.path.value]);

  const stop = at >= first && at < last ? at : first;
  const modifiedOf = (entry: Entry) => {
    const exact = formatExact(entry.modified, language, timeZone);
    return {
      exact,
      shown: user?.dateFormat ? exact : formatRelative(entry.modified, language, now),
    };
  };

  return (
    <div
      className="listing"
      ref={list.scroller}
      data-view={mode}
      data-selecting={multiple || undefined}
      onPointerDown={(event) => {
        unmarkText();
        band.onPointerDown(event);
      }}
      onContextMenu={menu.onContextMenu}
      onKeyDown={menu.onKeyDown}
      onClick={(event) => {
        if (isEmpty(event.target)) listing.selection.clear();
        menu.onClick(event);
      }}
    >
      <div
        role="grid"
        id="listing"
        aria-label={t("files.listing", { name })}
        aria-rowcount={rows.total + 1}
        aria-colcount={4}
        aria-multiselectable="true"
        aria-busy={listing.refreshing.value}
      >
        <div role="rowgroup" className="listing__head" ref={head}>
          <ColumnHead
            sorting={listing.sorting.value}
            onSort={(by) => void listing.sortBy(by)}
            chosen={selected.size === 0 ? "none" : selected.size === rows.total ? "all" : "some"}
            onChooseAll={() =>
              selected.size === rows.total ? listing.selection.clear() : listing.selection.all()}
          />
        </div>
        <div
          role="rowgroup"
          className="rows"
          ref={list.rows}
          style={box
            ? { blockSize: `${box.height}px`, paddingBlockStart: `${box.top}px` }
            : undefined}
          {...pointer}
        >
          {Array.from({ length: last - first }, (_, position) => {
            const index = first + position;
            const entry = rows.at(index);
            if (!entry) return <AbsentRow key={index} index={index} />;
            const { exact, shown } = modifiedOf(entry);
            return (
              <EntryRow
                key={entry.path}
                entry={entry}
                index={index}
                href={hrefOf(entry)}
                selected={selected.has(index)}
                cut={cut?.has(entry.name)}
                tabIndex={box ? (index === stop ? 0 : -1) : undefined}
                size={hasNoSize(entry) ? "" : formatBytes(entry.size, language)}
                modified={shown}
                modifiedFull={exact}
                menu={byThumb && !multiple}
                picture={pictured && code && entry.type === "image"
                  ? <code.Thumb entry={entry} />
                  : undefined}
              />
            );
          })}
        </div>
      </div>
      <MarqueeBox shown={band.shown} />
    </div>
  );
}

/** Whether a press is on empty space: on no entry, nor the column head. */
function isEmpty(target: EventTarget | null): boolean {
  return target instanceof Element && !target.closest("[role=row]");
}

/** Folders, and links that can't be opened: a link's size is the length of its text. */
function hasNoSize({ isDir, type }: Entry): boolean {
  return isDir || type === "invalid_link";
}

/**
 * The address that an entry's name links to: a folder's page, or a file's content. Without
 * permission to download, and of a link that can't be opened, the page with the file's details.
 */
function useEntryHref(): (entry: Entry) => string {
  const api = useApi();
  const { config } = usePage().data;
  const mayRead = useMay()("download");
  return (entry) => {
    const { path } = parsePath(entry.path);
    const hasContent = !entry.isDir && entry.type !== "invalid_link";
    if (!hasContent || !mayRead) return filesHref(config.BaseURL, path, entry.isDir);
    return `${api.rawAddress(path)}?inline=true`;
  };
}

/** Whether a media query matches; false until hydration. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(false);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = () => setHolds(media.matches);
    follow();
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return holds;
}
