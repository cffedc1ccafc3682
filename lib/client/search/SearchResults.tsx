import { joinPaths, nameOf, parsePath, ROOT } from "../../shared/path.ts";
import type { Search } from "./search.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useHitWindow } from "../listing/use_hit_window.ts";
import { useTranslation } from "../core/use_translation.ts";
import { SearchHitRow } from "./SearchHitRow.tsx";

interface SearchResultsProps {
  search: Search;
  /** The id of the grid, which the field controls. */
  id: string;
  /** A result was chosen: to be shown in its folder, or, with `itself`, to be opened. */
  onChoose: (index: number, itself: boolean) => void;
}

/** The results, of which only those in view are in the document. */
export function SearchResults({ search, id, onChoose }: SearchResultsProps) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const { base, terms, hits, count } = search.found.value;
  const at = search.at.value;
  const total = Math.min(count, search.shown.value);
  const { scroller, first, last, box } = useHitWindow({
    total,
    at,
    subject: hits,
    onNearEnd: () => search.more(),
  });
  const baseName = base === ROOT ? t("files.myFiles") : nameOf(base);

  const choose = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>("[data-index]");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    // On a link the browser does what it always does with a key held: another tab, another window.
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
