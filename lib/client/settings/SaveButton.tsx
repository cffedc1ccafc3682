import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";

interface SaveButtonProps {
  busy: boolean;
  /** In place of "Save". */
  words?: string;
}

/** Sends the form that it is in. */
export function SaveButton({ busy, words }: SaveButtonProps) {
  const { t } = useTranslation();
  return (
    <Button type="submit" look="primary" aria-busy={busy}>
      {words ?? t("buttons.save")}
    </Button>
  );
}
