import { EyeOff } from "lucide";
import { Button } from "../../../components/Button.tsx";
import { ErrorScreen } from "../ui/ErrorScreen.tsx";
import { StatusScreen } from "../../../components/StatusScreen.tsx";
import type { Trouble } from "./preview_source.ts";
import { useTranslation } from "../core/use_translation.ts";

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
