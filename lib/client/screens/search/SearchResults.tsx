import { useLayoutEffect, useRef } from "react";
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
import { usePictured } from "../../files_page/listing/thumbs/thumb_kinds.ts";
import { entryOfHit } from "./hit_kind.ts";
import { SearchHitRow } from "./SearchHitRow.tsx";

const thumbs = lazy(() => import("../../files_page/listing/thumbs/Thumb.tsx"));

/** How a result is chosen: to be opened, shown in its folder, or selected. */
export type Choice = "open" | "show" | "toggle";

interface SearchResultsProps {
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
  const { rowOf, indexAt, count: total } = rowsOf(hits, search.shown.value);
  const list = useWindow(total, "hits", () => 0);
  const { scroller, rows, first, box, scrollTo, reveal } = list;
  const last = box ? list.last : Math.min(total, UNMEASURED);
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, position) => {
    const index = indexAt(first + position);
    const hit = hits[index];
    return { index, hit, entry: hit && entryOfHit(hit, base) };
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

  const choose = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>("[data-index]");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    // With a modifier key the browser handles the click: new tab, new window.
    if (!row || (elsewhere && target.closest("a"))) return;
    const isTick = target.closest(".hit__tick") !== null;
    // The box shows what is selected: it is drawn again.
    if (!isTick) event.preventDefault();
    const isToShow = target.closest("[data-show]") !== null;
    onChoose(Number(row.dataset.index), isTick ? "toggle" : isToShow ? "show" : "open");
  };

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
        onClick={choose}
      >
        {drawn.map(({ hit, entry, index }) => {
          if (!hit || !entry) {
            return (
              <div key="contents" role="row" className="hits__group">
                <div role="gridcell">{t("search.inContents")}</div>
              </div>
            );
          }
          const exact = formatExact(entry.modified, language);
          return (
            <SearchHitRow
              key={index}
              entry={entry}
              folder={hit.path.slice(0, -entry.name.length - 1) || baseName}
              index={index}
              terms={terms}
              snippet={hit.snippet}
              href={navigation.href(parsePath(entry.path).path, hit.dir, hit.line)}
              current={index === at}
              selected={chosen.has(hit.path)}
              picture={code && isPictured(entry) ? <code.Thumb entry={entry} small /> : undefined}
              size={hit.dir || hit.size === undefined ? "" : formatBytes(hit.size, language)}
              modified={user?.dateFormat ? exact : formatRelative(entry.modified, language, now)}
              modifiedFull={exact}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The rows of the list: the results, with a heading above those found by their contents. */
function rowsOf(hits: readonly RankedHit[], shown: number) {
  const heading = hits.findIndex(({ place }) => place > 0);
  const hasHeading = heading >= 0 && heading < shown;
  return {
    count: Math.min(hits.length, shown) + Number(hasHeading),
    rowOf: (index: number) => hasHeading && index >= heading ? index + 1 : index,
    /** -1 for the heading. */
    indexAt(row: number) {
      if (!hasHeading || row < heading) return row;
      return row === heading ? -1 : row - 1;
    },
  };
}
