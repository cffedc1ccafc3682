import { RotateCcw, SearchX, Trash2 } from "lucide";
import { useTranslation } from "react-i18next";
import { Button, Tick } from "../../../../components/Button.tsx";
import { TableCard } from "../../../../components/Card.tsx";
import { TextField } from "../../../../components/Fields.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import type { Clock } from "../../../shared/clock.ts";
import { parentOf, parsePath } from "../../../shared/path.ts";
import type { TrashItem, TrashPage } from "../../../shared/schemas/trash.ts";
import { useMay } from "../../base/core/use_site.ts";
import { useNewRowFocus } from "../../base/ui/lists/use_pages.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { TrashLine } from "./TrashLine.tsx";
import { useLineFocus } from "./use_line_focus.ts";
import { useTrash } from "./use_trash.ts";

/** The props of {@linkcode TrashList}. */
export interface TrashListProps {
  /** The entries that the server has rendered. */
  first: TrashPage;
  /** What they were searched for; "" for all. */
  query: string;
  clock: Clock;
}

/** The user's deleted entries, to be found, restored, or deleted for good. */
export function TrashList({ first, query: sought, clock }: TrashListProps) {
  const { t } = useTranslation();
  const may = useMay();
  const rootAccess = useRootAccess();
  const trash = useTrash(first, sought);
  const { items, query, chosen, busy, more } = trash;
  const noteLastRow = useNewRowFocus(items);
  const area = useLineFocus(items);
  const isClosed = ({ path }: TrashItem) =>
    path !== null && !rootAccess.canAddTo(parentOf(parsePath(path).path));
  const canRestore = (item: TrashItem) => may("create") && item.path !== null && !isClosed(item);
  const canChoose = may("create") || may("delete");

  if (items.length === 0 && query === "" && !more) {
    return <StatusScreen glyph={Trash2} title={t("trash.emptyTitle")} text={t("trash.text")} />;
  }
  return (
    <div className="trash" ref={area}>
      <div className="trash__head">
        <TextField
          name="trash-query"
          type="search"
          label={t("trash.search")}
          verbatim
          value={query}
          onChange={(text) => trash.search(text)}
        />
        {may("delete") && (
          <Button glyph={Trash2} disabled={busy} onClick={() => void trash.empty()}>
            {t("trash.empty")}
          </Button>
        )}
      </div>
      {items.length === 0 && !more && (
        <StatusScreen glyph={SearchX} title={t("trash.nothing")} text="" />
      )}
      {items.length > 0 && (
        <TableCard
          id="trash"
          title={t("trash.title")}
          text={t("trash.text")}
          aside={canChoose && (
            <TrashBar
              items={items}
              chosen={chosen}
              onChooseAll={trash.chooseAll}
              busy={busy}
              onRestore={chosen.some(canRestore)
                ? () => void trash.restore(chosen.filter(canRestore))
                : undefined}
              onRemove={may("delete") ? () => void trash.remove(chosen) : undefined}
            />
          )}
          columns={[
            t("files.column.name"),
            t("trash.place"),
            t("files.column.size"),
            t("trash.deleted"),
          ]}
        >
          {items.map((item) => (
            <TrashLine
              key={item.id}
              item={item}
              clock={clock}
              isClosed={isClosed(item)}
              isChosen={chosen.includes(item)}
              onChoose={canChoose ? () => trash.choose(item) : undefined}
              onRestore={canRestore(item) ? () => void trash.restore([item]) : undefined}
              onRemove={may("delete") ? () => void trash.remove([item]) : undefined}
            />
          ))}
        </TableCard>
      )}
      {more && (
        <Button
          onClick={() => {
            noteLastRow(area.current);
            more();
          }}
        >
          {t("trash.more")}
        </Button>
      )}
    </div>
  );
}

interface TrashBarProps {
  items: readonly TrashItem[];
  chosen: readonly TrashItem[];
  busy: boolean;
  onChooseAll: () => void;
  /** Absent where none of those selected can be restored. */
  onRestore?: () => void;
  /** Absent without the permission to delete. */
  onRemove?: () => void;
}

/** Selects all, and deals with those that are selected. */
function TrashBar({ items, chosen, busy, onChooseAll, onRestore, onRemove }: TrashBarProps) {
  const { t } = useTranslation();
  const count = chosen.length;
  return (
    <div className="trash__bar">
      <label className="trash__all">
        <Tick
          label={t("files.selectAll")}
          checked={count === items.length}
          partly={count > 0 && count < items.length}
          onChange={onChooseAll}
        />
        {t("files.selectAll")}
      </label>
      <span className="trash__count" role="status">
        {count > 0 && t("files.selected", { count })}
      </span>
      {count > 0 && (
        <div className="trash__acts">
          {onRestore && (
            <Button glyph={RotateCcw} disabled={busy} onClick={onRestore}>
              {t("buttons.restore")}
            </Button>
          )}
          {onRemove && (
            <Button glyph={Trash2} disabled={busy} onClick={onRemove}>
              {t("buttons.deleteForGood")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
