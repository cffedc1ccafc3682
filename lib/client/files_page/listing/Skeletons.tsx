import { ArrowUp } from "lucide";
import { useTranslation } from "react-i18next";
import { useFiles } from "../../base/files/use_files.ts";
import { COLUMNS } from "./ColumnHead.tsx";
import { Icon } from "../../../../components/Icon.tsx";

/** The placeholders of a view, which fill a screen. */
const ROWS = Array.from({ length: 32 }, (_, index) => index);
const MOST_IN_LIST = 12;

/** Placeholder rows of a listing that is loading. */
export function ListingSkeleton() {
  const { t } = useTranslation();
  const { view } = useFiles();
  const isOfPhotos = view.mode.value === "mosaic gallery";
  return (
    <div
      className="listing"
      role="status"
      data-view={view.mode.value}
      data-tiles={view.now.value.tileSize}
      data-density={view.account.value.density}
    >
      <span className="unseen">{t("files.loading")}</span>
      <div className="columns" aria-hidden="true">
        <div className="cell cell--tick" />
        {COLUMNS.map((by) => (
          <div key={by} className={`cell cell--${by}`}>
            <span className="columns__sort">
              {t(`files.column.${by}`)}
              <Icon glyph={ArrowUp} />
            </span>
          </div>
        ))}
      </div>
      <div className="rows" aria-hidden="true">
        {ROWS.slice(0, isOfPhotos ? undefined : MOST_IN_LIST).map((index) => (
          <AbsentRow key={index} index={index} />
        ))}
      </div>
    </div>
  );
}

interface AbsentRowProps {
  /** The position in the sorted folder, from 0. */
  index: number;
  /** Where it lies, in views that place each entry. */
  style?: Record<string, string> | undefined;
}

/** The place of an entry that is still being read. */
export function AbsentRow({ index, style }: AbsentRowProps) {
  return (
    <div
      role="row"
      className="row"
      data-absent
      style={style}
      aria-rowindex={index + 2}
      aria-busy="true"
    >
      <div role="gridcell" className="cell cell--tick" />
      <div role="gridcell" className="cell cell--name">
        <span className="entry-icon bone" />
        <span className="bone bone--name" />
      </div>
      <div role="gridcell" className="cell cell--modified">
        <div className="bone" />
      </div>
      <div role="gridcell" className="cell cell--size" />
    </div>
  );
}

const LINES = Array.from({ length: 16 }, (_, index) => index);

interface FileSkeletonProps {
  /** A text is loading, rather than an image or another preview. */
  isText: boolean;
}

/** Placeholder of a file: bars for a text, or an empty frame. */
export function FileSkeleton({ isText }: FileSkeletonProps) {
  const { t } = useTranslation();
  return (
    <div className={isText ? "file-bones" : "file-bones file-bones--frame"} role="status">
      <span className="unseen">{t("files.loading")}</span>
      {isText && LINES.map((line) => <div className="bone" key={line} />)}
    </div>
  );
}
