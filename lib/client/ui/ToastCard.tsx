import { CircleAlert, CircleCheck, X } from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";
import { Icon } from "../../../components/Icon.tsx";

interface ToastCardProps {
  look: "success" | "error";
  text: string;
  onClose: () => void;
  /** What can be done about it. */
  children?: ReactNode;
}

/** A short piece of news. A success shows how long it stays; an error stays until it is closed. */
export function ToastCard({ look, text, onClose, children }: ToastCardProps) {
  const { t } = useTranslation();
  return (
    <div className="toast" data-look={look} role={look === "error" ? "alert" : "status"}>
      <span className="toast__sign">
        <Icon glyph={look === "error" ? CircleAlert : CircleCheck} />
      </span>
      <p className="toast__words">{text}</p>
      <div className="toast__acts">
        {children}
        <IconButton label={t("buttons.close")} glyph={X} onClick={onClose} />
      </div>
      {look === "success" && <span className="toast__left" />}
    </div>
  );
}
