import { useFiles } from "../lib/client/use_files.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { AbsentRow } from "./AbsentRow.tsx";

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
        <div className="cell cell--name">{t("files.column.name")}</div>
        <div className="cell cell--size">{t("files.column.size")}</div>
        <div className="cell cell--modified">{t("files.column.modified")}</div>
      </div>
      <div className="rows" aria-hidden="true">
        {ROWS.map((index) => <AbsentRow key={index} index={index} />)}
      </div>
    </div>
  );
}
