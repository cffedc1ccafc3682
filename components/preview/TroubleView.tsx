import { EyeOff } from "lucide";
import { Button } from "../Button.tsx";
import { ErrorScreen } from "../ErrorScreen.tsx";
import { StatusScreen } from "../StatusScreen.tsx";
import type { Trouble } from "../../lib/client/preview_source.ts";
import { useTranslation } from "../../lib/i18n/use_translation.ts";

interface TroubleViewProps {
  trouble: Trouble;
  onRetry: () => void;
}

/** Why a file is not shown, and what to do. */
export function TroubleView({ trouble, onRetry }: TroubleViewProps) {
  const { t } = useTranslation();
  if (trouble.is === "unknown_format") {
    return (
      <StatusScreen
        glyph={EyeOff}
        title={t("preview.unknownTitle")}
        text={t("preview.unknownText")}
      />
    );
  }
  return (
    <ErrorScreen status={trouble.why.status}>
      <Button onClick={onRetry}>{t("buttons.retry")}</Button>
    </ErrorScreen>
  );
}
