import { RotateCcw, SearchX, Trash2 } from "lucide";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../../components/Button.tsx";
import { TableCard } from "../../../components/Card.tsx";
import { TextField } from "../../../components/Fields.tsx";
import { StatusScreen } from "../../../components/StatusScreen.tsx";
import type { Clock } from "../../shared/clock.ts";
import { entryByName } from "../../shared/entry_by_name.ts";
import { type EntryPath, parentOf, parsePath } from "../../shared/path.ts";
import type { Failure } from "../../shared/result.ts";
import type { TrashItem, TrashPage } from "../../shared/schemas/trash.ts";
import { reasonOf } from "../api/reasons.ts";
import { formatBytes, formatRelative } from "../core/format.ts";
import { useMay } from "../core/page.ts";
import { useReach } from "../core/reach.ts";
import { useClock } from "../core/use_clock.ts";
import { useApi, usePrompts, useToasts } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { EntryIcon } from "../listing/thumbs/EntryIcon.tsx";
import { useTrashApi } from "./trash_api.ts";

/** The rest before what is typed is searched for, in milliseconds. */
const TYPING_MS = 250;

interface TrashListProps {
  /** The entries that the server has rendered. */
  first: TrashPage;
  clock: Clock;
}

/** The user's deleted entries, to be found, restored, or deleted for good. */
export function TrashList({ first, clock }: TrashListProps) {
  const { t } = useTranslation();
  const api = useApi();
  const trash = useTrashApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const may = useMay();
  const reach = useReach();
  const isClosed = ({ path }: TrashItem) =>
    path !== null && !reach.takes(parentOf(parsePath(path).path));
  const [shown, setShown] = useState(first);
  const [query, setQuery] = useState("");
  const [busy, setBusy] = useState(false);
  const wasTyped = useRef(false);

  const fail = (why: Failure) => toasts.error(reasonOf(t, why));
  const load = async (before?: string, signal?: AbortSignal) => {
    const answer = await trash.list(query, before, signal);
    if (!answer.ok) return answer.code === "aborted" ? undefined : fail(answer);
    const { items, next } = answer.value;
    setShown((former) => ({ items: before ? [...former.items, ...items] : items, next }));
  };
  useEffect(() => {
    if (!wasTyped.current) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => void load(undefined, leaving.signal), TYPING_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [query]);

  const hide = (id: string) =>
    setShown(({ items, next }) => ({ items: items.filter((item) => item.id !== id), next }));
  const restore = async ({ id }: TrashItem) => {
    const answer = await api.restore(id);
    if (!answer.ok && answer.status !== 404) return fail(answer);
    hide(id);
    if (answer.ok) toasts.success(t("toasts.restored", { count: 1 }));
    else fail(answer);
  };
  const remove = async ({ id, name }: TrashItem) => {
    if (await prompts.open("delete", { count: 1, name, mode: "forGood" }) === null) return;
    const answer = await trash.remove(id);
    if (!answer.ok && answer.status !== 404) return fail(answer);
    hide(id);
    toasts.success(t("toasts.deleted", { count: 1 }));
  };
  const empty = async () => {
    const question = { title: t("trash.sureEmpty"), text: t("prompts.deleteText") };
    if (await prompts.open("confirm", question) === null) return;
    setBusy(true);
    const answer = await trash.empty();
    setBusy(false);
    if (!answer.ok) fail(answer);
    setQuery("");
    await load();
  };

  if (shown.items.length === 0 && query === "") {
    return <StatusScreen glyph={Trash2} title={t("trash.emptyTitle")} text={t("trash.text")} />;
  }
  return (
    <div className="trash">
      <div className="trash__head">
        <TextField
          name="trash-query"
          type="search"
          label={t("trash.search")}
          verbatim
          value={query}
          onInput={(event) => {
            wasTyped.current = true;
            setQuery(event.currentTarget.value);
          }}
        />
        {may("delete") && (
          <Button glyph={Trash2} disabled={busy} onClick={() => void empty()}>
            {t("trash.empty")}
          </Button>
        )}
      </div>
      {shown.items.length === 0
        ? <StatusScreen glyph={SearchX} title={t("trash.nothing")} text="" />
        : (
          <TableCard
            id="trash"
            title={t("trash.title")}
            text={t("trash.text")}
            columns={[
              t("files.column.name"),
              t("trash.place"),
              t("files.column.size"),
              t("trash.deleted"),
            ]}
          >
            {shown.items.map((item) => (
              <TrashLine
                key={item.id}
                item={item}
                clock={clock}
                isClosed={isClosed(item)}
                onRestore={may("create") && item.path !== null && !isClosed(item)
                  ? () => void restore(item)
                  : undefined}
                onRemove={may("delete") ? () => void remove(item) : undefined}
              />
            ))}
          </TableCard>
        )}
      {shown.next !== null && (
        <Button onClick={() => void load(shown.next ?? undefined)}>{t("trash.more")}</Button>
      )}
    </div>
  );
}

interface TrashLineProps {
  item: TrashItem;
  clock: Clock;
  /** Nothing can be changed where it was. */
  isClosed: boolean;
  /** Absent where it can't be restored. */
  onRestore?: () => void;
  /** Absent without the permission to delete. */
  onRemove?: () => void;
}

function TrashLine({ item, clock, isClosed, onRestore, onRemove }: TrashLineProps) {
  const { t, language } = useTranslation();
  const { now } = useClock(clock);
  const { name, path, isDir, size, deleted } = item;
  // A folder has a size once an administrator has asked how full the trash is.
  const isSized = !isDir || size > 0;
  return (
    <tr>
      <td className="table__main">
        <span className="trash__name">
          <EntryIcon entry={entryByName(name, isDir)} />
          <bdi>{name}</bdi>
        </span>
      </td>
      <td data-label={t("trash.place")}>
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
