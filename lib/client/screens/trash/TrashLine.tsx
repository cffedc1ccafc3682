import { RotateCcw, Trash2 } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton, Tick } from "../../../../components/Button.tsx";
import type { Clock } from "../../../shared/clock.ts";
import { entryByName } from "../../../shared/entry_by_name.ts";
import { type EntryPath, parentOf } from "../../../shared/path.ts";
import type { TrashItem } from "../../../shared/schemas/trash.ts";
import { formatBytes, formatRelative } from "../../base/core/format.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";

interface TrashLineProps {
  item: TrashItem;
  clock: Clock;
  /** Nothing can be changed where it was. */
  isClosed: boolean;
  isChosen: boolean;
  /** Absent where nothing can be done with it. */
  onChoose?: () => void;
  /** Absent where it can't be restored. */
  onRestore?: () => void;
  /** Absent without the permission to delete. */
  onRemove?: () => void;
}

/** A deleted entry, with the tick that selects it. */
export function TrashLine(
  { item, clock, isClosed, isChosen, onChoose, onRestore, onRemove }: TrashLineProps,
) {
  const { t, i18n: { language } } = useTranslation();
  const { now } = useClock(clock);
  const { name, path, isDir, size, deleted } = item;
  // A folder has a size once an administrator has asked how full the trash is.
  const isSized = !isDir || size > 0;
  return (
    <tr>
      <td className="table__main">
        <span className="trash__name">
          {onChoose && (
            <Tick
              label={t("files.selectEntry", { name })}
              checked={isChosen}
              onChange={onChoose}
            />
          )}
          <EntryIcon entry={entryByName(name, isDir)} />
          <bdi>{name}</bdi>
        </span>
      </td>
      <td className="table__path" data-label={t("trash.place")}>
        <bdi>{path === null ? t("trash.outside") : parentOf(path as EntryPath)}</bdi>
        {isClosed && <small className="trash__note">{t("files.readOnly")}</small>}
      </td>
      <td className="table__size" data-label={isSized ? t("files.column.size") : undefined}>
        {isSized && formatBytes(size, language)}
      </td>
      <td className="table__size" data-label={t("trash.deleted")}>
        {formatRelative(deleted, language, now)}
      </td>
      <td className="table__acts">
        {onRestore && (
          <IconButton
            label={t("trash.restoreOne", { name })}
            glyph={RotateCcw}
            onClick={onRestore}
          />
        )}
        {onRemove && (
          <IconButton label={t("trash.deleteOne", { name })} glyph={Trash2} onClick={onRemove} />
        )}
      </td>
    </tr>
  );
}
