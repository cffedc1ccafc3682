import { ArrowUp } from "lucide";
import { useTranslation } from "react-i18next";
import type { SortBy } from "../../../shared/schemas/choices/choices.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import { Icon } from "../../../../components/Icon.tsx";
import { Tick } from "../../../../components/Button.tsx";

/** The columns of a listing, in their order. */
export const COLUMNS: readonly SortBy[] = ["name", "modified", "size"];

/** What the head of photos sorts by. */
const OF_PHOTOS: readonly SortBy[] = ["name", "taken", "modified", "size"];

interface ColumnHeadProps {
  sorting: Sorting;
  /** Whether there is a column of types, which does not sort. */
  hasTypes: boolean;
  /** Whether photos are below it. */
  isOfPhotos: boolean;
  onSort: (by: SortBy) => void;
  /** Whether none, some or all entries are selected. */
  chosen: "none" | "some" | "all";
  onChooseAll: () => void;
}

/** The head of a listing: selects everything, and sorts by a column on click. */
export function ColumnHead(
  { sorting, hasTypes, isOfPhotos, onSort, chosen, onChooseAll }: ColumnHeadProps,
) {
  const { t } = useTranslation();
  return (
    <div role="row" className="columns" aria-rowindex={1}>
      <div role="columnheader" className="cell cell--tick">
        <Tick
          label={t("files.selectAll")}
          checked={chosen === "all"}
          partly={chosen === "some"}
          onChange={onChooseAll}
        />
      </div>
      {(isOfPhotos ? OF_PHOTOS : COLUMNS).map((by) => [
        by === "size" && hasTypes && (
          <div key="type" role="columnheader" className="cell cell--type">
            {t("files.column.type")}
          </div>
        ),
        <div
          key={by}
          role="columnheader"
          className={`cell cell--${by}`}
          aria-sort={sorting.by === by ? (sorting.asc ? "ascending" : "descending") : undefined}
        >
          <button type="button" className="columns__sort" onClick={() => onSort(by)}>
            {t(`files.column.${by}`)}
            <Icon glyph={ArrowUp} />
          </button>
        </div>,
      ])}
    </div>
  );
}
