import { Trash2 } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { emptyTrash, hasTrash } from "../actions/free_room.ts";
import { useApi, useMay, usePrompts, useToasts } from "../../base/core/use_site.ts";

interface RoomActionsProps {
  /** Sends again what was refused. */
  onRetry: () => void;
}

/** The way on for uploads that a quota has refused: the trash is emptied, then they are tried again. */
export function RoomActions({ onRetry }: RoomActionsProps) {
  const { t } = useTranslation();
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const may = useMay();
  const retry = useRef<HTMLButtonElement>(null);
  const [trash, setTrash] = useState<"unknown" | "full" | "emptied">("unknown");
  useEffect(() => {
    void hasTrash({ api, may }).then((isFull) => isFull && setTrash("full"));
  }, []);
  // The button that had the focus is gone.
  useEffect(() => {
    if (trash === "emptied") retry.current?.focus();
  }, [trash]);
  const empty = async () => {
    if (await emptyTrash({ api, prompts, toasts, t })) setTrash("emptied");
  };
  if (trash === "unknown") return null;
  return (
    <div className="uploads__ways">
      {trash === "full"
        ? <Button glyph={Trash2} onClick={() => void empty()}>{t("trash.empty")}</Button>
        : (
          <Button variant="primary" buttonRef={retry} onClick={onRetry}>
            {t("buttons.retry")}
          </Button>
        )}
    </div>
  );
}
