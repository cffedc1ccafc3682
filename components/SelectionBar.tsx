import { Download, Trash2, X } from "lucide";
import { IconButton } from "./Button.tsx";
import { formatBytes } from "../lib/client/format.ts";
import { useFileActions } from "../lib/client/use_file_actions.ts";
import { useFiles } from "../lib/client/use_files.ts";
import { useSelectedBytes } from "../lib/client/use_selected_bytes.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

/** How much is selected; on a phone a bar at the bottom with what can be done with it. */
export function SelectionBar() {
  const { t, language } = useTranslation();
  const { listing, actions } = useFiles();
  const { selection } = listing;
  const may = useFileActions();
  const bytes = useSelectedBytes();
  const selected = t("files.selected", { count: selection.now.value.size });

  return (
    <div className="chosen">
      <p className="chosen__count" role="status">
        {bytes === 0
          ? selected
          : t("files.selectedWithSize", { selected, size: formatBytes(bytes, language) })}
      </p>
      <div className="chosen__acts">
        {may.download.allowed && (
          <IconButton
            label={t("buttons.download")}
            glyph={Download}
            disabled={!may.download.now}
            onClick={() => void actions.downloadSelection()}
          />
        )}
        {may.remove.allowed && (
          <IconButton
            label={t("buttons.delete")}
            glyph={Trash2}
            disabled={!may.remove.now}
            onClick={() => void actions.deleteSelection()}
          />
        )}
      </div>
      <IconButton
        className="chosen__clear"
        label={t("files.clearSelection")}
        glyph={X}
        onClick={() => {
          selection.clear();
          selection.multiple.value = false;
        }}
      />
    </div>
  );
}
