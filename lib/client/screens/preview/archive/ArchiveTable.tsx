import { Download, Lock } from "lucide";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconLink, Tick } from "../../../../../components/Button.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import type { Clock } from "../../../../shared/clock.ts";
import { displayName } from "../../../../shared/entry_names.ts";
import { type EntryPath, nameOf } from "../../../../shared/path.ts";
import type { ArchiveEntry } from "../../../../shared/schemas/archive.ts";
import { formatBytes, formatExact, formatList } from "../../../base/core/format.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import { ColumnHead } from "../../../files_page/listing/ColumnHead.tsx";
import { EntryName } from "../../../files_page/listing/EntryRow.tsx";
import { EntryIcon } from "../../../files_page/listing/thumbs/EntryIcon.tsx";
import type { ArchiveContents } from "./archive_contents.ts";

/** The characters of a name that are nearly always in view. */
const ROOM = 32;

interface ArchiveTableProps {
  contents: ArchiveContents;
  /** The name of the archive. */
  name: string;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The address to save a file by. */
  addressOf: (entry: ArchiveEntry) => string;
}

/** The rows of a folder of an archive; more are read as the last comes near. */
export function ArchiveTable({ contents, name, clock, addressOf }: ArchiveTableProps) {
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
      className="listing archive__list"
      data-view="list"
      data-selecting
      ref={scroller}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + clientHeight * 2 > scrollHeight) void contents.more();
      }}
    >
      {refused.count > 0 && (
        <p className="archive__note" role="note">
          {t("archive.refused", { amount: refused.count })}{" "}
          (<bdi>{formatList(refused.entries.slice(0, 3).map(({ path }) => path), language)}</bdi>)
        </p>
      )}
      <div
        role="grid"
        aria-label={t("files.listing", { name: nameOf(folder.path as EntryPath) || name })}
        aria-rowcount={folder.numDirs + folder.numFiles + 1}
        aria-multiselectable="true"
      >
        <div role="rowgroup" className="listing__head">
          <ColumnHead
            sorting={sorting}
            hasTypes={false}
            isOfPhotos={false}
            onSort={(by) => void contents.sortBy(by)}
            chosen={selected.size === 0 ? "none" : selected.size >= rows.length ? "all" : "some"}
            onChooseAll={() => contents.toggleAll()}
          />
        </div>
        <div role="rowgroup" className="rows">
          {rows.map((entry, index) => (
            <Row
              key={entry.path}
              entry={entry}
              index={index}
              address={addressOf(entry)}
              size={formatBytes(entry.size, language)}
              modified={entry.modified ? formatExact(entry.modified, language, timeZone) : ""}
              isSelected={selected.has(entry.path)}
              contents={contents}
            />
          ))}
        </div>
      </div>
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
  /** The position in the folder, from 0. */
  index: number;
  address: string;
  size: string;
  modified: string;
  isSelected: boolean;
  contents: ArchiveContents;
}

function Row({ entry, index, address, size, modified, isSelected, contents }: RowProps) {
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
    <div role="row" className="row" aria-rowindex={index + 2} aria-selected={isSelected}>
      <div role="gridcell" className="cell cell--tick">
        <Tick
          label={t("archive.select", { name })}
          checked={isSelected}
          disabled={kind === "link" || kind === "other"}
          onChange={() => contents.toggle(entry)}
        />
      </div>
      <div role="gridcell" className="cell cell--name">
        <EntryIcon entry={icon} />
        <button
          type="button"
          className="row__name archive__open"
          data-row
          disabled={!canOpen}
          dir="auto"
          onClick={() =>
            isFile ? contents.show(entry) : void contents.open(entry.path as EntryPath)}
        >
          <EntryName name={name} room={ROOM} />
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
      </div>
      <div role="gridcell" className="cell cell--size">
        {kind === "folder" || isFile ? size : "–"}
      </div>
      <div role="gridcell" className="cell cell--modified">{modified}</div>
      {isFile && !encrypted && (
        <div role="gridcell" className="archive__save">
          <IconLink
            href={address}
            download
            label={t("archive.download", { name })}
            glyph={Download}
          />
        </div>
      )}
    </div>
  );
}

/** Up and down move the focus from row to row. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]:not(:disabled)")];
  const own = document.activeElement?.closest("[role=row]")?.querySelector<HTMLElement>(
    "[data-row]",
  );
  const next = rows[own ? rows.indexOf(own) + step : 0];
  if (rows.length === 0) return;
  event.preventDefault();
  next?.focus();
}
