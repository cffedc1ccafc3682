import { RefreshCw } from "lucide";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { StatusScreen } from "../../../components/StatusScreen.tsx";

/** Stands in place of a part of the page whose code did not come. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <StatusScreen
      look="error"
      glyph={RefreshCw}
      title={t("status.loadTitle")}
      text={t("status.loadText")}
    >
      <Button look="primary" onClick={onRetry}>{t("buttons.retry")}</Button>
    </StatusScreen>
  );
}
