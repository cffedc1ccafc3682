import { ArrowDown, ArrowUp, Download, Lock } from "lucide";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconLink, Tick } from "../../../../../components/Button.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import type { SortBy } from "../../../../shared/schemas/choices/choices.ts";
import type { Clock } from "../../../../shared/clock.ts";
import { displayName } from "../../../../shared/entry_names.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { ArchiveEntry } from "../../../../shared/schemas/archive.ts";
import { formatBytes, formatExact } from "../../../base/core/format.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import { EntryIcon } from "../../../files_page/listing/thumbs/EntryIcon.tsx";
import type { ArchiveContents } from "./archive_contents.ts";

const COLUMNS: readonly SortBy[] = ["name", "size", "modified"];

interface ArchiveTableProps {
  contents: ArchiveContents;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The address to save a file by. */
  addressOf: (entry: ArchiveEntry) => string;
}

/** The rows of a folder of an archive; more are read as the last comes near. */
export function ArchiveTable({ contents, clock, addressOf }: ArchiveTableProps) {
  const { t, i18n: { language } } = useTranslation();
  const { timeZone } = useClock(clock);
  const scroller = useRef<HTMLDivElement>(null);
  const folder = contents.folder.value;
  const rows = contents.rows.value;
  const selected = contents.selected.value;
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [folder?.path]);
  if (!folder) return null;
  const { sorting, refused } = folder;
  const left = folder.numDirs + folder.numFiles - rows.length;
  return (
    <div
      className="archive__scroll"
      ref={scroller}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + clientHeight * 2 > scrollHeight) void contents.more();
      }}
    >
      {refused.count > 0 && (
        <p className="archive__note" role="note">
          {t("archive.refused", { amount: refused.count })}{" "}
          (<bdi>{refused.entries.slice(0, 3).map(({ path }) => path).join(", ")}</bdi>)
        </p>
      )}
      <table className="sheet-table archive__rows">
        <thead>
          <tr>
            <th className="archive__tick">
              <Tick
                label={t("archive.selectAll")}
                checked={selected.size > 0 && selected.size >= rows.length}
                partly={selected.size > 0 && selected.size < rows.length}
                onChange={() => contents.toggleAll()}
              />
            </th>
            {COLUMNS.map((by) => (
              <th
                key={by}
                data-column={by}
                aria-sort={sorting.by !== by ? "none" : sorting.asc ? "ascending" : "descending"}
              >
                <button
                  type="button"
                  className="button button--quiet"
                  onClick={() => void contents.sortBy(by)}
                >
                  {t(`files.column.${by}`)}
                  {sorting.by === by && <Icon glyph={sorting.asc ? ArrowUp : ArrowDown} />}
                </button>
              </th>
            ))}
            <th>
              <span className="unseen">{t("buttons.download")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <Row
              key={entry.path}
              entry={entry}
              address={addressOf(entry)}
              size={formatBytes(entry.size, language)}
              modified={entry.modified ? formatExact(entry.modified, language, timeZone) : "–"}
              isSelected={selected.has(entry.path)}
              contents={contents}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="archive__note">{t("archive.empty")}</p>}
      {left > 0 && (
        <Button className="archive__more" onClick={() => void contents.more()}>
          {t("preview.loadMore")}
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  entry: ArchiveEntry;
  address: string;
  size: string;
  modified: string;
  isSelected: boolean;
  contents: ArchiveContents;
}

function Row({ entry, address, size, modified, isSelected, contents }: RowProps) {
  const { t } = useTranslation();
  const { kind, type, extension, encrypted } = entry;
  const name = displayName(entry.name);
  const isFile = kind === "file";
  const canOpen = kind === "folder" || (isFile && !encrypted);
  const icon = {
    type: kind === "link" ? "invalid_link" as const : type,
    isDir: kind === "folder",
    isSymlink: false,
    extension,
  };
  return (
    <tr aria-selected={isSelected}>
      <td className="archive__tick">
        <Tick
          label={t("archive.select", { name })}
          checked={isSelected}
          disabled={kind === "link" || kind === "other"}
          onChange={() => contents.toggle(entry)}
        />
      </td>
      <td className="archive__name" data-column="name">
        <button
          type="button"
          className="archive__open"
          data-row
          disabled={!canOpen}
          onClick={() =>
            isFile ? contents.show(entry) : void contents.open(entry.path as EntryPath)}
        >
          <EntryIcon entry={icon} />
          <span dir="auto">{name}</span>
          {encrypted && (
            <span className="archive__mark">
              <Icon glyph={Lock} />
              {t("archive.encrypted")}
            </span>
          )}
          {(kind === "link" || kind === "other") && (
            <span className="archive__mark">
              {kind === "link" ? t("archive.unread") : t("archive.special")}
            </span>
          )}
        </button>
      </td>
      <td data-column="size">{kind === "folder" || isFile ? size : "–"}</td>
      <td data-column="modified">{modified}</td>
      <td className="archive__save">
        {isFile && !encrypted && (
          <IconLink
            href={address}
            download
            label={t("archive.download", { name })}
            glyph={Download}
          />
        )}
      </td>
    </tr>
  );
}

/** Up and down move the focus from row to row. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]:not(:disabled)")];
  const own = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-row]");
  const next = rows[own ? rows.indexOf(own) + step : 0];
  if (rows.length === 0) return;
  event.preventDefault();
  next?.focus();
}
