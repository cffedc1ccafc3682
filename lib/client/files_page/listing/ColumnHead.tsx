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
  /** Null where the order is none of the columns'. */
  sorting: Sorting | null;
  /** The columns and their words, in lists other than folders. */
  columns?: Partial<Record<SortBy, string>>;
  /** Whether there is a column of types, which does not sort. */
  hasTypes: boolean;
  /** Whether photos are below it. */
  isOfPhotos: boolean;
  /** Absent where nothing can be sorted. */
  onSort?: ((by: SortBy) => void) | undefined;
  /** Whether none, some or all entries are selected. */
  chosen: "none" | "some" | "all";
  onChooseAll: () => void;
}

/** The head of a listing: selects everything, and sorts by a column on click. */
export function ColumnHead(
  { sorting, columns, hasTypes, isOfPhotos, onSort, chosen, onChooseAll }: ColumnHeadProps,
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
      {(isOfPhotos ? OF_PHOTOS : COLUMNS).filter((by) => !columns || by in columns).map((by) => [
        by === "size" && hasTypes && (
          <div key="type" role="columnheader" className="cell cell--type">
            {t("files.column.type")}
          </div>
        ),
        <div
          key={by}
          role="columnheader"
          className={`cell cell--${by}`}
          aria-sort={sorting?.by === by ? (sorting.asc ? "ascending" : "descending") : undefined}
        >
          {onSort
            ? (
              <button type="button" className="columns__sort" onClick={() => onSort(by)}>
                {columns?.[by] ?? t(`files.column.${by}`)}
                <Icon glyph={ArrowUp} />
              </button>
            )
            : columns?.[by]}
        </div>,
      ])}
    </div>
  );
}
