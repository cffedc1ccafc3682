import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { nameOf, parsePath, ROOT } from "../../../shared/path.ts";
import type { RankedHit } from "./ranking.ts";
import type { Search } from "./search.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useWindow } from "../../files_page/listing/use_window.ts";
import { formatBytes, formatExact, formatRelative } from "../../base/core/format.ts";
import { usePage } from "../../base/core/page.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { EntryIcon, usePictured } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { entryOfHit } from "./hits.ts";
import { FolderSearch } from "lucide";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { partsOf, type Terms } from "./search_query.ts";
import { IconButton, Tick } from "../../../../components/Button.tsx";

const thumbs = lazy(() => import("../../files_page/listing/thumbs/Thumb.tsx"));

/** How a result is chosen: to be opened, shown in its folder, or selected. */
export type Choice = "open" | "show" | "toggle";

/** What the views of results have in common. */
export interface SearchResultsProps {
  search: Search;
  /** The id of the grid, which the field controls. */
  id: string;
  onChoose: (index: number, choice: Choice) => void;
}

/** Results drawn before their height is measured. */
const UNMEASURED = 20;

/** The results; only those in view are rendered. */
export function SearchResults({ search, id, onChoose }: SearchResultsProps) {
  const { t, i18n: { language } } = useTranslation();
  const { user } = usePage().data;
  const { navigation } = useFiles();
  const isPictured = usePictured(false);
  const { base, terms, hits, run } = search.found.value;
  const at = search.at.value;
  const chosen = search.chosen.value;
  const { rowOf, placeAt, count: total } = rowsOf(hits, search.shown.value);
  const list = useWindow(total, "hits", () => 0);
  const { scroller, rows, first, box, scrollTo, reveal } = list;
  const last = box ? list.last : Math.min(total, UNMEASURED);
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, position) => {
    const { index, heading } = placeAt(first + position);
    const hit = heading ? undefined : hits[index];
    return { index, heading, hit, entry: hit && entryOfHit(hit, base) };
  });
  const code = useLazy(thumbs, drawn.some(({ entry }) => entry && isPictured(entry)));
  const shownRun = useRef<symbol>(null);
  useLayoutEffect(() => {
    if (shownRun.current === run) return reveal(rowOf(at));
    shownRun.current = run;
    scrollTo(search.top, rowOf(at));
  }, [at, run]);
  useLayoutEffect(() => {
    if (box && last >= search.shown.peek()) search.more();
  }, [box === null, last, total]);
  const baseName = base === ROOT ? t("files.myFiles") : nameOf(base);
  const now = Date.now();

  return (
    <div
      className="hits"
      ref={scroller}
      tabIndex={-1}
      onScroll={(event) => search.top = event.currentTarget.scrollTop}
      aria-busy={search.status.value === "searching"}
      data-selecting={chosen.size > 0 || undefined}
    >
      <div
        role="grid"
        ref={rows}
        id={id}
        aria-label={t("search.results")}
        aria-rowcount={hits.length}
        style={box
          ? { blockSize: `${box.height}px`, paddingBlockStart: `${box.top}px` }
          : undefined}
        onClick={(event) => chooseByClick(event, onChoose)}
      >
        {drawn.map(({ hit, entry, index, heading }) => {
          if (heading) {
            return (
              <div key={heading} role="row" className="hits__group">
                <div role="gridcell">{t(`search.${heading}`)}</div>
              </div>
            );
          }
          if (!hit || !entry) return null;
          const time = hit.taken ?? entry.modified;
          const exact = formatExact(time, language);
          return (
            <SearchHitRow
              key={index}
              entry={entry}
              folder={folderOf(hit) || (hit.elsewhere ? t("files.myFiles") : baseName)}
              index={index}
              terms={terms}
              snippet={hit.snippet}
              href={navigation.href(parsePath(entry.path).path, hit.dir, hit.line)}
              current={index === at}
              selected={chosen.has(hit.path)}
              picture={code && isPictured(entry) ? <code.Thumb entry={entry} small /> : undefined}
              size={hit.dir || hit.size === undefined ? "" : formatBytes(hit.size, language)}
              modified={user?.dateFormat ? exact : formatRelative(time, language, now)}
              modifiedFull={hit.taken ? t("search.taken", { when: exact }) : exact}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Chooses the result that was clicked. */
export function chooseByClick(
  event: MouseEvent,
  onChoose: SearchResultsProps["onChoose"],
): void {
  const target = event.target as Element;
  const row = target.closest<HTMLElement>("[data-index]");
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  // With a modifier key the browser handles the click: new tab, new window.
  if (!row || (elsewhere && target.closest("a"))) return;
  const isTick = target.closest(".hit__tick, .cell--tick") !== null;
  // The box shows what is selected: it is drawn again.
  if (!isTick) event.preventDefault();
  const isToShow = target.closest("[data-show]") !== null;
  onChoose(Number(row.dataset.index), isTick ? "toggle" : isToShow ? "show" : "open");
}

/** The folder of a result, as it is shown; "" for the searched one, and the top of the scope. */
function folderOf({ path, name }: RankedHit): string {
  return path.slice(0, -name.length - 1).replace(/^\//, "");
}

/** The headings above parts of the results but the first: those by name in the open folder. */
const HEADINGS = ["inContents", "elsewhere", "elsewhereContents"] as const;

type Heading = typeof HEADINGS[number];

/** The parts of the results that are shown: where each begins, and its heading. */
export function partsOfHits(
  hits: readonly RankedHit[],
  count: number,
): { at: number; heading?: Heading | undefined }[] {
  return [undefined, ...HEADINGS]
    .map((heading) => ({ heading, at: hits.findIndex((hit) => headingOf(hit) === heading) }))
    .filter(({ at }) => at >= 0 && at < count);
}

/** The heading of the part that a result is in; undefined for the first part. */
function headingOf({ elsewhere, place }: RankedHit): Heading | undefined {
  return HEADINGS[(elsewhere ? 1 : -1) + Number(place > 0)];
}

/** The rows of the list: the results, with a heading above each of their parts but the first. */
function rowsOf(hits: readonly RankedHit[], shown: number) {
  const count = Math.min(hits.length, shown);
  const headings = partsOfHits(hits, count).filter(({ heading }) => heading !== undefined)
    .map(({ heading, at }, before) => ({ heading, at, row: at + before }));
  return {
    count: count + headings.length,
    rowOf: (index: number) => index + headings.filter(({ at }) => at <= index).length,
    placeAt(row: number): { index: number; heading?: Heading | undefined } {
      const before = headings.filter((heading) => heading.row < row).length;
      const heading = headings.find((heading) => heading.row === row)?.heading;
      return { index: row - before, heading };
    },
  };
}

interface SearchHitRowProps {
  entry: Entry;
  /** The folder of the entry, as it is shown. */
  folder: string;
  /** The position among the results, from 0. */
  index: number;
  terms: Terms;
  /** The text around the hits of a file found by its content, every second piece a hit. */
  snippet?: readonly string[];
  /** The page of the entry itself. */
  href: string;
  /** Whether the keyboard cursor is on it. */
  current: boolean;
  selected: boolean;
  /** Shown in place of the icon. */
  picture?: ReactNode;
  /** The size in words; "" for a folder. */
  size: string;
  /** When it was last changed: in words, and in full. */
  modified: string;
  modifiedFull: string;
}

/** The id of the row of a result. */
export function hitId(index: number): string {
  return `hit-${index}`;
}

/** One result: its picture, its name with the matches marked, its folder, size and date. */
function SearchHitRow(props: SearchHitRowProps) {
  const { entry, folder, index, terms, href, current, selected, picture, snippet } = props;
  const { t } = useTranslation();
  const { name } = entry;
  return (
    <div
      role="row"
      id={hitId(index)}
      className="hit"
      data-index={index}
      aria-rowindex={index + 1}
      aria-selected={current}
    >
      <div role="gridcell" className="hit__tick">
        <Tick label={t("files.selectEntry", { name })} checked={selected} tabIndex={-1} readOnly />
      </div>
      <div role="gridcell" className="hit__main">
        {picture ?? <EntryIcon entry={entry} />}
        <a className="hit__words" href={href} tabIndex={-1} draggable={false}>
          <span className="hit__name" dir="auto">
            {partsOf(name, terms).map(({ text, hit }, position) =>
              hit ? <mark key={position}>{text}</mark> : text
            )}
            {snippet && (
              <span className="hit__place">
                {"\u2002"}
                <bdi>{folder}</bdi>
              </span>
            )}
          </span>
          <span className="hit__folder" dir="auto">
            {snippet?.map((text, position) =>
              position % 2 === 1 ? <mark key={position}>{text}</mark> : text
            ) ?? folder}
          </span>
        </a>
      </div>
      <div role="gridcell" className="hit__size">{props.size}</div>
      <time
        role="gridcell"
        className="hit__modified"
        dateTime={entry.modified}
        title={props.modifiedFull}
      >
        {props.modified}
      </time>
      <div role="gridcell">
        <IconButton
          className="hit__show"
          label={t("search.showHit", { name })}
          glyph={FolderSearch}
          tabIndex={-1}
          data-show
        />
      </div>
    </div>
  );
}
