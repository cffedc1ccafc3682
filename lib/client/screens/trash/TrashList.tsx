import { RotateCcw, SearchX, Trash2 } from "lucide";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { TextField } from "../../../../components/Fields.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import type { Clock } from "../../../shared/clock.ts";
import { entryByName } from "../../../shared/entry_by_name.ts";
import { nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import type { TrashItem, TrashPage } from "../../../shared/schemas/trash.ts";
import { formatBytes, formatExact, formatRelative } from "../../base/core/format.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { useMay } from "../../base/core/use_site.ts";
import type { PlaceAction, PlaceItem } from "../../files_page/listing/place_rows.ts";
import { PlaceList } from "../../files_page/listing/PlaceList.tsx";
import { useTrash } from "./use_trash.ts";

interface TrashListProps {
  /** The entries that the server has rendered. */
  first: TrashPage;
  /** What they were searched for; "" for all. */
  query: string;
  clock: Clock;
}

/** The user's deleted entries, to be found, restored, or deleted for good. */
export function TrashList({ first, query: sought, clock }: TrashListProps) {
  const { t, i18n: { language } } = useTranslation();
  const may = useMay();
  const rootAccess = useRootAccess();
  const trash = useTrash(first, sought);
  const { now, timeZone } = useClock(clock);
  const { items, query, busy, more } = trash;
  const isClosed = ({ path }: TrashItem) =>
    path !== null && !rootAccess.canAddTo(parentOf(parsePath(path).path));
  const rowOf = useCallback((item: TrashItem): PlaceItem => {
    const { id, name, path, isDir, size, deleted } = item;
    // A folder has a size once it was measured.
    const isSized = !isDir || size > 0;
    const folder = path === null ? null : parentOf(parsePath(path).path);
    return {
      id,
      entry: { name, path: path ?? "", ...entryByName(name, isDir) },
      place: [
        folder === null ? t("trash.outside") : nameOf(folder) || t("files.myFiles"),
        ...isClosed(item) ? [t("files.readOnly")] : [],
      ].join(" · "),
      size: isSized ? formatBytes(size, language) : "–",
      bytes: isSized ? size : -1,
      when: formatRelative(deleted, language, now),
      whenFull: formatExact(deleted, language, timeZone),
      at: deleted,
    };
  }, [language, now, timeZone]);

  if (items.length === 0 && query === "" && !more) {
    return <StatusScreen glyph={Trash2} title={t("trash.emptyTitle")} text={t("trash.text")} />;
  }
  const actions: PlaceAction<TrashItem>[] = [];
  if (may("create")) {
    actions.push({
      id: "restore",
      label: t("buttons.restore"),
      glyph: RotateCcw,
      isFor: (item) => item.path !== null && !isClosed(item),
      run: (chosen) => void trash.restore(chosen),
    });
  }
  if (may("delete")) {
    actions.push({
      id: "delete",
      label: t("buttons.deleteForGood"),
      glyph: Trash2,
      isDanger: true,
      hasDeleteKey: true,
      run: (chosen) => void trash.remove(chosen),
    });
  }
  return (
    <PlaceList
      label={t("trash.title")}
      items={items}
      rowOf={rowOf}
      columns={{
        name: t("files.column.name"),
        size: t("files.column.size"),
        modified: t("trash.deleted"),
      }}
      sorting={{ by: "modified", asc: false }}
      more={more ? { read: more } : null}
      actions={actions}
      search={
        <TextField
          name="trash-query"
          type="search"
          label={t("trash.search")}
          placeholder={t("trash.search")}
          verbatim
          value={query}
          onChange={(text) => trash.search(text)}
        />
      }
      acts={may("delete") && (
        <Button
          variant="quiet"
          glyph={Trash2}
          disabled={busy}
          onClick={() => void trash.empty()}
        >
          {t("trash.empty")}
        </Button>
      )}
    >
      {items.length === 0 && !more
        ? <StatusScreen glyph={SearchX} title={t("trash.nothing")} text="" />
        : <p className="places__note">{t("trash.text")}</p>}
    </PlaceList>
  );
}
