import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { AbsentRow } from "./Skeletons.tsx";
import { MarqueeBox, useMarquee } from "../selection/Marquee.tsx";
import { ColumnHead } from "./ColumnHead.tsx";
import { GroupHeading, startsOf } from "./GroupHeading.tsx";
import { EntryRow } from "./EntryRow.tsx";
import type { Entry, Group } from "../../../shared/schemas/entry.ts";
import { formatBytes, formatExact, formatMonth, formatRelative } from "../../base/core/format.ts";
import { entryKind, entryKinds } from "../../../shared/entry_kind.ts";
import { restoreListing, useKeptPlace } from "./kept_listing.ts";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";
import type { Clock } from "../../../shared/clock.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useListKeys } from "./use_list_keys.ts";
import { listHandlers, useListPointer } from "./use_list_pointer.ts";
import { useRowMenu } from "../menu/use_action_menu.ts";
import { useWindow } from "./use_window.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useApi, useLazy } from "../../base/core/use_site.ts";
import type { ListModel } from "../selection/list_model.ts";
import type { TypeAhead } from "../selection/type_ahead.ts";
import { isPhoto, usePictured } from "./thumbs/EntryIcon.tsx";
import { usePhotoLayout } from "./photos/use_photo_layout.ts";
import { parsePath } from "../../../shared/path.ts";

const folderSizes = lazy(() => import("./FolderSizes.tsx"));
const thumbs = lazy(() => import("./thumbs/Thumb.tsx"));

/** The characters of a name that are nearly always in view. */
const ROOM = { list: 14, tile: 11, smallTile: 8 };

interface FileListProps {
  /** The name of the folder. */
  name: string;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** Scrolls away above the rows. */
  above?: ReactNode;
  /** Shown below the rows. */
  children?: ReactNode;
}

/** The rows of a folder, of which only those in view are in the document. */
export function FileList({ name, clock, above, children }: FileListProps) {
  const { t, i18n: { language } } = useTranslation();
  const { user } = usePage().data;
  const { listing, navigation, view, clipboard } = useFiles();
  const { now, timeZone } = useClock(clock);
  const rows = listing.rows.value;
  const selected = listing.selection.now.value;
  const cut = clipboard.cutIn(listing.path.value);
  const multiple = listing.selection.multiple.value;
  const at = listing.cursor.index.value;
  const { viewMode: mode, tileSize } = view.now.value;
  const { density, typeColumn } = view.account.value;
  const groups = listing.groups.value;
  const starts = useMemo(() => startsOf(groups), [groups]);
  const hasTypes = mode === "list" && typeColumn !== "hidden";
  const room = ROOM[mode === "list" ? "list" : tileSize === "small" ? "smallTile" : "tile"];

  const isOfPhotos = mode === "mosaic gallery";
  const isPictured = usePictured(isOfPhotos, mode === "mosaic");
  const head = useRef<HTMLDivElement>(null);
  const layout = `${mode} ${tileSize} ${density}`;
  const [wantsThumbs, setWantsThumbs] = useState(isOfPhotos);
  const code = useLazy(thumbs, wantsThumbs);
  const { arrange, shapeOf, hasShapes } = usePhotoLayout(isOfPhotos, code);
  const sticky = () => head.current?.offsetHeight ?? 0;
  const list = useWindow(rows.total, layout, sticky, starts, arrange);
  const { first, last, box, page, columns, lines } = list;
  const drawn = Array.from({ length: last - first }, (_, position) => rows.at(first + position));
  const showsThumbs = isOfPhotos || drawn.some((entry) => entry && isPictured(entry));
  useLayoutEffect(() => showsThumbs ? setWantsThumbs(true) : undefined, [showsThumbs]);
  const known = listing.sizes.value;
  const hasFolders = !isOfPhotos && drawn.some((entry) => entry?.isDir);
  const sizes = useLazy(folderSizes, hasFolders);
  const sizeOf = ({ name, isDir, type, size }: Entry) => {
    // A link's own size is the length of its text.
    if (type === "invalid_link") return "";
    if (!isDir) return formatBytes(size, language);
    const total = known.get(name);
    if (!total) return "–";
    return `${total.isPartial || total.unreadable > 0 ? "≥\u00a0" : ""}${
      formatBytes(total.bytes, language)
    }`;
  };
  const model = useModel();
  const pointer = useListPointer(list, model);
  const band = useMarquee(list, model);
  const menu = useRowMenu();
  const byThumb = useMedia("(width <= 46em), (pointer: coarse)");
  useListKeys(list, model);
  useKeptPlace(list, rows, listing.path.value, listing.sorting.value, `${groups.length > 0}`);

  // Before the next key: after a change of the view it goes by the new lines.
  useLayoutEffect(() => {
    const mirrored = document.dir === "rtl";
    listing.cursor.layout({ columns, page, mirrored, groups: starts, lines });
  }, [columns, page, starts, lines]);
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

  const titleOf = ({ name }: Group) => {
    const kind = entryKinds.find((kind) => kind === name);
    return kind ? t(`views.groups.${kind}`) : formatMonth(name, language);
  };
  const stop = at >= first && at < last ? at : first;
  const rootAccess = useRootAccess();
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
      data-tiles={tileSize}
      data-density={density}
      data-types={mode === "list" ? typeColumn : undefined}
      data-selecting={multiple || undefined}
      data-flat={listing.isFlat || undefined}
      {...listHandlers(menu, band, listing.selection)}
    >
      {above && <div data-above>{above}</div>}
      {code && lines && starts && (
        <code.Scrubber scroller={list.scroller} lines={lines} groups={groups} starts={starts} />
      )}
      <div
        role="grid"
        id="listing"
        aria-label={t("files.listing", { name })}
        aria-rowcount={rows.total + 1}
        aria-colcount={hasTypes || isOfPhotos ? 5 : 4}
        aria-multiselectable="true"
        aria-busy={listing.refreshing.value}
      >
        <div role="rowgroup" className="listing__head" ref={head}>
          <ColumnHead
            sorting={listing.sorting.value}
            hasTypes={hasTypes}
            isOfPhotos={isOfPhotos}
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
          data-placed={lines ? true : undefined}
          data-unplaced={isOfPhotos && !lines && !hasShapes || undefined}
          style={lines
            ? { blockSize: `${lines.height}px` }
            : box
            ? { blockSize: `${box.height}px`, paddingBlockStart: `${box.top}px` }
            : undefined}
          {...pointer}
        >
          {drawn.flatMap((entry, position) => {
            const index = first + position;
            // Placed headings stay in view: also that of a group which began further up.
            const at = starts === undefined
              ? -1
              : lines && position === 0
              ? starts.findLastIndex((start) => start <= index)
              : starts.indexOf(index);
            const group = groups[at];
            const heading = group
              ? [
                <GroupHeading
                  key={`group ${group.name}`}
                  title={titleOf(group)}
                  count={group.count}
                  span={starts && lines?.spanOf(starts, at)}
                />,
              ]
              : [];
            const style = lines?.styleOf(index);
            if (!entry) return [...heading, <AbsentRow key={index} index={index} style={style} />];
            const { path } = parsePath(entry.path);
            const { exact, shown } = modifiedOf(entry);
            const isPlainPhoto = isPhoto(entry) && isPictured(entry);
            const tile = isOfPhotos ? isPlainPhoto ? "photo" : "named" : undefined;
            return [
              ...heading,
              <EntryRow
                t={t}
                key={entry.path}
                entry={entry}
                room={room}
                index={index}
                href={navigation.href(path, entry.isDir)}
                selected={selected.has(index)}
                cut={cut?.has(entry.name)}
                locked={rootAccess.isReadOnlyTop(path)}
                tabIndex={box ? (index === stop ? 0 : -1) : undefined}
                size={sizeOf(entry)}
                kind={hasTypes ? t(`info.kinds.${entryKind(entry)}`) : undefined}
                modified={shown}
                modifiedFull={exact}
                style={style}
                tile={tile}
                shape={isOfPhotos && !lines ? shapeOf(index) : undefined}
                menu={byThumb && !multiple && tile !== "photo"}
                picture={code && isPictured(entry)
                  ? <code.Thumb entry={entry} small={mode === "list"} square={mode === "mosaic"} />
                  : undefined}
              />,
            ];
          })}
        </div>
      </div>
      {sizes && hasFolders && <sizes.FolderSizes first={first} last={last} />}
      {children}
      <MarqueeBox shown={band.shown} />
      <QuickActions scroller={list.scroller} />
    </div>
  );
}

function hasFilterField(): boolean {
  return document.querySelector(".filter input") !== null;
}

/** The rows of the open folder for the pointer and the keys. */
function useModel(): ListModel {
  const { listing, actions } = useFiles();
  const api = useApi();
  return useMemo(() => {
    const { rows, selection, cursor } = listing;
    let typing: TypeAhead | undefined;
    return {
      ...{ rows, selection, cursor },
      openAt: (index) => actions.openAt(index),
      remove: (forGood) => void actions.deleteSelection(forGood),
      type(character, at, goToCursor) {
        const filter = listing.filter.peek();
        if (character === "/") void listing.narrow(filter ?? "");
        // The field of the filter is on its way.
        else if (filter !== null && !hasFilterField()) void listing.narrow(filter + character);
        else if (character === "*") void actions.star();
        else {
          void listingParts.load().then(async (code) => {
            typing ??= code
              ? new code.TypeAhead({ api, listing, onDetails: () => actions.toggleInfo() })
              : undefined;
            if (await typing?.type(character, at)) goToCursor();
          });
          return false;
        }
        return true;
      },
    };
  }, [listing]);
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

const listingParts = lazy(() => import("./late_listing.ts"));

interface QuickActionsProps {
  /** The element that scrolls the rows. */
  scroller: RefObject<HTMLElement>;
}

/** The quick actions of rows; their code is loaded when a mouse or the Tab key comes. */
function QuickActions({ scroller }: QuickActionsProps) {
  const [wanted, setWanted] = useState(false);
  const code = useLazy(listingParts, wanted);
  useEffect(() => {
    const waiting = new AbortController();
    const listen = (type: "pointermove" | "focusin", isFor: (event: Event) => boolean) =>
      scroller.current?.addEventListener(type, (event) => {
        if (!isFor(event)) return;
        waiting.abort();
        setWanted(true);
      }, { signal: waiting.signal });
    listen("pointermove", (event) => (event as PointerEvent).pointerType === "mouse");
    listen("focusin", ({ target }) => (target as Element).matches(":focus-visible"));
    return () => waiting.abort();
  }, []);
  return code && wanted ? <code.RowActions scroller={scroller} /> : null;
}
