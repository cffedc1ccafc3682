import { useComputed } from "@preact/signals";
import { Copy, Download, FolderInput, Share2, Trash2 } from "lucide";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../../base/core/format.ts";
import { useCommands } from "../menu/commands.ts";
import { useMenuButton } from "../menu/use_action_menu.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { ActBar } from "./Acts.tsx";

/**
 * The buttons, with the keys of their words; further actions are in the menu. On phones there is no
 * room for copying, and sharing comes first.
 */
const BUTTONS = [
  ["download", "buttons.download", Download],
  ["share", "commands.share", Share2],
  ["moveTo", "buttons.move", FolderInput],
  ["copyTo", "buttons.copy", Copy],
  ["delete", "buttons.delete", Trash2],
] as const;

/** The number of selected entries, and their size where it is known. */
export function SelectedText() {
  const { t, i18n: { language } } = useTranslation();
  const { listing: { selection } } = useFiles();
  const bytes = useSelectedBytes();
  const selected = t("files.selected", { count: selection.now.value.size });
  return bytes === 0
    ? selected
    : t("files.selectedWithSize", { selected, size: formatBytes(bytes, language) });
}

/** The button that ends the selection, and those for the actions on it. */
export function SelectionActs() {
  const { t } = useTranslation();
  const { listing: { selection } } = useFiles();
  const opensMore = useMenuButton("selection");
  const commands = useCommands();
  return (
    <ActBar
      selection={selection}
      acts={selection.now.value.size === 0 ? [] : BUTTONS.flatMap(([id, word, glyph]) => {
        const run = commands[id];
        return run ? [{ id, label: t(word), title: t(`commands.${id}`), glyph, run }] : [];
      })}
      more={selection.now.value.size > 0 ? opensMore : undefined}
    />
  );
}

/** The total size of the selected entries in bytes; 0 where that of a folder is not known. */
function useSelectedBytes(): number {
  const { listing } = useFiles();
  return useComputed(() => {
    const rows = listing.rows.value;
    const selected = listing.selection.now.value;
    const folders = listing.sizes.value;
    if (selected.size === 0) return 0;
    let bytes = 0;
    let seen = 0;
    for (let index = 0; index < rows.total && seen < selected.size; index++) {
      if (!selected.has(index)) continue;
      const entry = rows.at(index);
      const size = entry?.isDir ? folders.get(entry.name)?.bytes : entry?.size;
      if (size === undefined) return 0;
      bytes += size;
      seen++;
    }
    return bytes;
  }).value;
}
