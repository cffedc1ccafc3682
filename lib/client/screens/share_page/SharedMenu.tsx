import { Download, FolderInput, Pencil, Replace, Trash2 } from "lucide";
import { useTranslation } from "react-i18next";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import type { SharedRowEntry } from "./shared_rows.ts";
import type { RowAction } from "./use_row_events.ts";

/** The entries of the menu, and its point of the window, in CSS pixels. */
export interface MenuState {
  entries: readonly SharedRowEntry[];
  at: { x: number; y: number };
}

interface SharedMenuProps extends MenuState {
  onDownload: (entries: readonly SharedRowEntry[]) => void;
  onReplace: (entry: SharedRowEntry) => void;
  onAction: (action: RowAction, entries: readonly SharedRowEntry[]) => void;
  onClose: () => void;
}

/** The menu of one entry, or of the ticked ones. */
export function SharedMenu(
  { entries, at, onDownload, onReplace, onAction, onClose }: SharedMenuProps,
) {
  const { t } = useTranslation();
  const [entry, ...others] = entries;
  if (!entry) return null;
  const isOne = others.length === 0;
  const title = isOne ? entry.name : t("files.selected", { count: entries.length });
  const label = isOne ? t("files.actionsOf", { name: entry.name }) : t("files.actionsOfSelection");
  return (
    <Menu id="shared-menu" label={label} title={title} at={at} onClose={onClose}>
      <MenuItem glyph={Download} onClick={() => onDownload(entries)}>
        {t("commands.download")}
      </MenuItem>
      {isOne && !entry.isDir && (
        <MenuItem glyph={Replace} onClick={() => onReplace(entry)}>{t("share.replace")}</MenuItem>
      )}
      {isOne && (
        <MenuItem glyph={Pencil} onClick={() => onAction("rename", entries)}>
          {t("commands.rename")}
        </MenuItem>
      )}
      <MenuItem glyph={FolderInput} onClick={() => onAction("move", entries)}>
        {t("commands.moveTo")}
      </MenuItem>
      <MenuItem glyph={Trash2} danger onClick={() => onAction("delete", entries)}>
        {t("commands.delete")}
      </MenuItem>
    </Menu>
  );
}
