import { CloudUpload } from "lucide";
import { type EntryPath, nameOf } from "../../shared/path.ts";
import { type Aim, useFileGoal } from "./use_file_goal.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Icon } from "../../../components/Icon.tsx";

interface DropTargetProps {
  /** Set to what tells where a drop goes. */
  aim: { current: Aim | null };
  /** The folder that is open; null where nothing can be put. */
  here: EntryPath | null;
  /** Called when nothing hovers any more, though nobody saw it go. */
  onGone: () => void;
}

/** Says where files would go that hover over the page. */
export function DropTarget({ aim, here, onGone }: DropTargetProps) {
  const { t } = useTranslation();
  const folder = useFileGoal({ aim, here, onGone });
  if (folder === null) return null;
  return (
    <div className="drop">
      <Icon glyph={CloudUpload} />
      <p className="drop__title">{t("drop.title")}</p>
      <p className="drop__text">
        {t("drop.text", { name: nameOf(folder) || t("files.myFiles") })}
      </p>
    </div>
  );
}
