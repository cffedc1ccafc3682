import { ListPlus, Play } from "lucide";
import { useMay } from "../core/page.ts";
import { type MusicRequest, useMusicRequests } from "../core/use_panels.ts";
import { useTranslation } from "../core/use_translation.ts";
import { useFiles } from "../navigation/use_files.ts";
import { MenuItem } from "../../../components/Menu.tsx";

/** Menu items to play the selection, if it is of sounds and folders alone. */
export function MusicItems() {
  const { t } = useTranslation();
  const may = useMay();
  const { listing: { selection, rows } } = useFiles();
  const requests = useMusicRequests();
  const { size } = selection.now.value;
  const entries = rows.value.withNames(new Set(selection.snapshot().names));
  const isMusic = entries.every(({ type, isDir }) => type === "audio" || isDir);
  if (!may("download") || size === 0 || entries.length < size || !isMusic) return null;
  const ask = (does: MusicRequest["does"]) => () => {
    requests.value = [...requests.peek(), { does, entries }];
  };
  return (
    <>
      <MenuItem glyph={Play} onClick={ask("play")}>{t("commands.play")}</MenuItem>
      <MenuItem glyph={ListPlus} onClick={ask("add")}>{t("commands.enqueue")}</MenuItem>
    </>
  );
}
