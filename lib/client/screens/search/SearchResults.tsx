import { useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { encodePath, nameOf, parentOf, parsePath, ROOT } from "../../../shared/path.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { formatBytes, formatExact, formatRelative } from "../../base/core/format.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { ColumnHead } from "../../files_page/listing/ColumnHead.tsx";
import { EntryRow } from "../../files_page/listing/EntryRow.tsx";
import { GroupHeading, startsOf } from "../../files_page/listing/GroupHeading.tsx";
import { usePictured } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { useLongPress } from "../../files_page/listing/use_list_pointer.ts";
import { type RowWindow, useWindow } from "../../files_page/listing/use_window.ts";
import { type OpenRowMenu, rowMenu } from "../../files_page/menu/row_menu.ts";
import { indexOf } from "../../base/files/page_dom.ts";
import { entryOfHit, type Found } from "./hits.ts";
import { MarkedName, Marks } from "./MarkedName.tsx";
import type { RankedHit, SearchOrder } from "./ranking.ts";
import type { Search } from "./search.ts";

const thumbs = lazy(() => import("../../files_page/listing/thumbs/Thumb.tsx"));

/** How a result is chosen: to be opened, shown in its folder, or selected. */
export type Choice = "open" | "show" | "toggle";

/** What the views of results have in common. */
export interface SearchResultsProps {
  search: Search;
  /** The id of the grid, which the field controls. */
  id: string;
  onChoose: (index: number, choice: Choice) => void;
  onMenu: OpenRowMenu;
}

/** Results drawn before their height is measured. */
const UNMEASURED = 20;

/** The characters of a name that are nearly always in view. */
const ROOM = 24;

/** The columns that results are ordered by. */
const SORTED = {
  name: { by: "name", asc: true },
  size: { by: "size", asc: false },
  modified: { by: "modified", asc: false },
  relevance: null,
} as const satisfies Record<SearchOrder, unknown>;

/** The results, with the rows of a list of many folders; only those in view are rendered. */
export function SearchResults({ search, id, onChoose, onMenu }: SearchResultsProps) {
  const { t, i18n: { language } } = useTranslation();
  const { user, config: { BaseURL } } = usePage().data;
  const { navigation } = useFiles();
  const isPictured = usePictured(false);
  const { base, terms, hits } = search.found.value;
  const { order } = search.asked.value;
  const at = search.at.value;
  const chosen = search.chosen.value;
  const total = Math.min(hits.length, search.shown.value);
  const { parts, starts } = useHitParts(search.found.value, total);
  const head = useRef<HTMLDivElement>(null);
  const list = useWindow(total, "hits", () => head.current?.offsetHeight ?? 0, starts);
  const { scroller, rows, first, box } = list;
  const last = box ? list.last : Math.min(total, UNMEASURED);
  const drawn = hits.slice(first, last).map((hit) => ({ hit, entry: entryOfHit(hit, base) }));
  const code = useLazy(thumbs, drawn.some(({ entry }) => isPictured(entry)));
  useHitScroll(search, list, last);
  const baseName = displayName(nameOf(base)) || t("files.myFiles");
  const now = Date.now();

  return (
    <div
      className="listing hits"
      ref={scroller}
      tabIndex={-1}
      data-view="list"
      data-places
      data-sized
      data-selecting={chosen.size > 0 || undefined}
      aria-busy={search.status.value === "searching"}
      {...useHitEvents(search, onChoose, onMenu)}
    >
      <div
        role="grid"
        id={id}
        aria-label={t("search.results")}
        aria-rowcount={hits.length + 1}
        aria-multiselectable="true"
      >
        <div role="rowgroup" className="listing__head" ref={head}>
          <ColumnHead
            sorting={SORTED[order]}
            hasTypes={false}
            isOfPhotos={false}
            onSort={(by) => by !== "taken" && search.sort(order === by ? "relevance" : by)}
            chosen={chosen.size === 0 ? "none" : chosen.size === hits.length ? "all" : "some"}
            onChooseAll={() => search.chooseAll(chosen.size < hits.length)}
          />
        </div>
        <div
          role="rowgroup"
          className="rows"
          ref={rows}
          style={box
            ? { blockSize: `${box.height}px`, paddingBlockStart: `${box.top}px` }
            : undefined}
        >
          {drawn.flatMap(({ hit, entry }, position) => {
            const index = first + position;
            const part = parts[starts?.indexOf(index) ?? -1];
            const { path } = parsePath(entry.path);
            const time = hit.taken ?? entry.modified;
            const exact = formatExact(time, language);
            const name = displayName(entry.name);
            const folder = encodePath(parentOf(path), { folder: true });
            const place = (
              <a
                className={hit.snippet ? "hits__folder" : "row__place"}
                href={`${BaseURL}/files${folder}?show=${encodeURIComponent(entry.name)}`}
                title={t("search.showHit", { name })}
                tabIndex={-1}
                dir="auto"
                data-show
              >
                {displayName(folderOf(hit)) || (hit.elsewhere ? t("files.myFiles") : baseName)}
              </a>
            );
            return [
              ...part ? [<GroupHeading key={`part ${part.title}`} {...part} />] : [],
              <EntryRow
                t={t}
                key={entry.path}
                id={hitId(index)}
                current={index === at}
                entry={entry}
                room={ROOM}
                index={index}
                href={navigation.href(path, hit.dir, hit.line)}
                label={<MarkedName name={name} terms={terms} room={ROOM} />}
                place={hit.snippet
                  ? (
                    <span className="row__place">
                      {place}
                      <bdi>
                        <Marks
                          parts={hit.snippet.map((text, at) => ({ text, hit: at % 2 === 1 }))}
                        />
                      </bdi>
                    </span>
                  )
                  : place}
                selected={chosen.has(hit.path)}
                tabIndex={-1}
                size={hit.dir || hit.size === undefined ? "" : formatBytes(hit.size, language)}
                modified={user?.dateFormat ? exact : formatRelative(time, language, now)}
                modifiedFull={hit.taken ? t("search.taken", { when: exact }) : exact}
                menu={chosen.size === 0}
                picture={code && isPictured(entry) ? <code.Thumb entry={entry} small /> : undefined}
              />,
            ];
          })}
        </div>
      </div>
    </div>
  );
}

/** The id of the row of a result. */
export function hitId(index: number): string {
  return `hit-${index}`;
}

/** Keeps the result at the cursor in view, the place of a search, and asks for more at its end. */
export function useHitScroll(search: Search, list: RowWindow, last: number): void {
  const { run } = search.found.value;
  const at = search.at.value;
  const shownRun = useRef<symbol>(null);
  useLayoutEffect(() => {
    if (shownRun.current === run) return list.reveal(at);
    shownRun.current = run;
    list.scrollTo(search.top, at);
  }, [at, run]);
  useLayoutEffect(() => {
    if (list.box && last >= search.shown.peek()) search.more();
  }, [list.box === null, last, search.shown.value]);
}

/** The handlers of the element that scrolls results: a click chooses, a long press selects. */
export function useHitEvents(
  search: Search,
  onChoose: SearchResultsProps["onChoose"],
  onMenu: OpenRowMenu,
) {
  const menu = rowMenu((index, point, row) => index >= 0 && onMenu(index, point, row));
  const press = useLongPress((target) => {
    const index = indexOf(target);
    if (index >= 0) onChoose(index, "toggle");
  });
  return {
    ...press,
    ...menu,
    onContextMenu(event: MouseEvent) {
      press.onContextMenu(event);
      menu.onContextMenu(event);
    },
    onClick(event: MouseEvent) {
      menu.onClick(event);
      chooseByClick(search, event, onChoose);
    },
    onScroll({ currentTarget }: { currentTarget: HTMLElement }) {
      search.top = currentTarget.scrollTop;
    },
  };
}

/** Chooses the result that was clicked; while some are selected, as folders do, by its tick. */
function chooseByClick(
  search: Search,
  event: MouseEvent,
  onChoose: SearchResultsProps["onChoose"],
): void {
  const target = event.target as Element;
  const row = target.closest<HTMLElement>("[data-index]");
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  // With a modifier key the browser handles the click: new tab, new window.
  if (!row || target.closest("button") || (elsewhere && target.closest("a"))) return;
  const isTick = target.closest(".cell--tick") !== null;
  const isByFinger = "pointerType" in event && event.pointerType === "touch";
  const toggles = isTick || (isByFinger && search.chosen.peek().size > 0);
  // The box shows what is selected: it is drawn again.
  if (!isTick) event.preventDefault();
  const isToShow = target.closest("[data-show]") !== null;
  onChoose(Number(row.dataset.index), toggles ? "toggle" : isToShow ? "show" : "open");
}

/** The folder of a result, as it is shown; "" for the searched one, and the top of the scope. */
function folderOf({ path, name }: RankedHit): string {
  return path.slice(0, -name.length - 1).replace(/^\//, "");
}

/** The headings above parts of the results but the first: those by name in the open folder. */
const HEADINGS = ["inContents", "elsewhere", "elsewhereContents"] as const;

/** The heading of the part that a result is in; undefined for the first part. */
function headingOf({ elsewhere, place }: RankedHit): typeof HEADINGS[number] | undefined {
  return HEADINGS[(elsewhere ? 1 : -1) + Number(place > 0)];
}

/**
 * The parts of the results that are shown, and where each begins: those by name in the open folder
 * come first, and have no heading when there are no others.
 */
export function useHitParts({ base, hits }: Found, count: number) {
  const { t } = useTranslation();
  return useMemo(() => {
    const found = [undefined, ...HEADINGS]
      .map((heading) => ({ heading, at: hits.findIndex((hit) => headingOf(hit) === heading) }))
      .filter(({ at }) => at >= 0);
    const parts = found.map(({ heading, at }, part) => ({
      title: heading
        ? t(`search.${heading}`)
        : base === ROOT
        ? t("files.myFiles")
        : displayName(nameOf(base)),
      count: (found[part + 1]?.at ?? hits.length) - at,
    }));
    const isWhole = found.length < 2 && found[0]?.heading === undefined;
    const starts = isWhole ? undefined : startsOf(parts)?.filter((start) => start < count);
    return { parts, starts };
  }, [hits, count, base]);
}
