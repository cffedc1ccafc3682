import { useTranslation } from "../lib/i18n/use_translation.ts";

const ROWS = Array.from({ length: 12 }, (_, index) => index);

/** Rows of grey bars in the shape of a listing that is on its way. */
export function ListingSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="rows" role="status">
      <span className="unseen">{t("files.loading")}</span>
      {ROWS.map((row) => (
        <div className="row" key={row} aria-hidden="true">
          <div className="cell cell--tick" />
          <div className="cell cell--name">
            <span className="bone bone--icon" />
            <span className="bone bone--name" />
          </div>
          <div className="cell cell--size">
            <div className="bone" />
          </div>
          <div className="cell cell--modified">
            <div className="bone" />
          </div>
        </div>
      ))}
    </div>
  );
}
