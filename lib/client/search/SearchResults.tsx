import { useLayoutEffect } from "react";
import { joinPaths, nameOf, parsePath, ROOT } from "../../shared/path.ts";
import type { Search } from "./search.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useWindow } from "../listing/use_window.ts";
import { useTranslation } from "../core/use_translation.ts";
import { SearchHitRow } from "./SearchHitRow.tsx";

interface SearchResultsProps {
  search: Search;
  /** The id of the grid, which the field controls. */
  id: string;
  /** A result was chosen: to reveal it in its folder, or, with `itself`, to open it. */
  onChoose: (index: number, itself: boolean) => void;
}

/** Results drawn before their height is measured. */
const UNMEASURED = 20;

/** The results; only those in view are rendered. */
export function SearchResults({ search, id, onChoose }: SearchResultsProps) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const { base, terms, hits, count } = search.found.value;
  const at = search.at.value;
  const total = Math.min(count, search.shown.value);
  const list = useWindow(total, "hits", () => 0);
  const { scroller, rows, first, box, scrollTo, reveal } = list;
  const last = box ? list.last : Math.min(total, UNMEASURED);
  useLayoutEffect(() => scrollTo(0, -1), [hits]);
  useLayoutEffect(() => {
    if (at >= 0) reveal(at);
  }, [at, hits]);
  useLayoutEffect(() => {
    if (box && last > 0 && last === total) search.more();
  }, [box === null, last, total]);
  const baseName = base === ROOT ? t("files.myFiles") : nameOf(base);

  const choose = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>("[data-index]");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    // With a modifier key the browser handles the click: new tab, new window.
    if (!row || (elsewhere && target.closest("a"))) return;
    event.preventDefault();
    onChoose(Number(row.dataset.index), target.closest("[data-open]") !== null);
  };

  return (
    <div
      className="hits"
      ref={scroller}
      tabIndex={-1}
      aria-busy={search.status.value === "searching"}
    >
      <div
        role="grid"
        ref={rows}
        id={id}
        aria-label={t("search.results")}
        aria-rowcount={count}
        style={box
          ? { blockSize: `${box.height}px`, paddingBlockStart: `${box.top}px` }
          : undefined}
        onClick={choose}
      >
        {hits.slice(first, last).map((hit, position) => (
          <SearchHitRow
            key={first + position}
            hit={hit}
            index={first + position}
            terms={terms}
            base={baseName}
            href={navigation.href(joinPaths(base, parsePath(hit.path).path), hit.dir)}
            current={first + position === at}
          />
        ))}
      </div>
    </div>
  );
}
