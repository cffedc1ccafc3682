import { useConnection } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";

/** Says, for as long as it is so, that the server can't be reached and is tried again. */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const isLost = useConnection().isLost.value;
  return (
    <div role="status" className="toasts">
      {isLost && (
        <div className="toast" data-look="waiting">
          <span className="toast__sign">
            <span className="spinner" />
          </span>
          <p className="toast__words">{t("status.reconnecting")}</p>
        </div>
      )}
    </div>
  );
}
