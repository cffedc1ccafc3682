import { CloudUpload } from "lucide";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { Icon } from "./Icon.tsx";

interface DropTargetProps {
  /** The name of the folder that takes what is dropped. */
  name: string;
}

/** Covers the page while files hover over it, and says where they would go. */
export function DropTarget({ name }: DropTargetProps) {
  const { t } = useTranslation();
  return (
    <div className="drop">
      <div className="drop__card">
        <span className="drop__sign">
          <Icon glyph={CloudUpload} />
        </span>
        <p className="drop__title">{t("drop.title")}</p>
        <p className="drop__text">{t("drop.text", { name })}</p>
      </div>
    </div>
  );
}
