import { ArrowUp } from "lucide";
import { useFiles } from "../navigation/use_files.ts";
import { useTranslation } from "../core/use_translation.ts";
import { AbsentRow } from "./AbsentRow.tsx";
import { COLUMNS } from "./ColumnHead.tsx";
import { Icon } from "../../../components/Icon.tsx";

const ROWS = Array.from({ length: 12 }, (_, index) => index);

/** Grey bars in the shape of a listing that is on its way. */
export function ListingSkeleton() {
  const { t } = useTranslation();
  const { view } = useFiles();
  return (
    <div className="listing" role="status" data-view={view.mode.value}>
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
        {ROWS.map((index) => <AbsentRow key={index} index={index} />)}
      </div>
    </div>
  );
}
