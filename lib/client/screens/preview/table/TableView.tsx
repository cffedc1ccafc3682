import { ArrowDown, ArrowUp } from "lucide";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { LargeTable, parseRows, readerOf, sortRows, type Table, tableOf } from "./parse_table.ts";
import { formatBytes, formatNumber } from "../../../base/core/format.ts";
import {
  MOST_PRINTED,
  printedTable,
  textElement,
  usePrintable,
} from "../../../base/core/print_sheet.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { readBytes } from "../large_text.ts";
import { useEncoding } from "../LargeTextView.tsx";
import { NoPreview, type ReaderProps } from "../Content.tsx";
import { withMarks } from "../../../base/core/marks.ts";
import { numberIn, textIn } from "./cells.ts";
import { type EntryPath, nameOf, parsePath } from "../../../../shared/path.ts";
import { repeatDrawnClick } from "../../../base/core/early_click.ts";

/** Rows that are added to the page at a time. */
const ROWS = 300;

interface TableViewProps {
  table: Table;
  /** The accessible name of the table. */
  label: string;
  /** The file, whose drawing by the server has this table as well. */
  path?: EntryPath;
  /** Facts and buttons above the table. */
  children?: ReactNode;
  /** Reads more rows; absent when all are here. */
  onMore?: () => void;
  /** What is printed in place of the table, such as all sheets of its workbook. */
  print?: () => Node[];
}

/** A table of texts: sorted by any column, and longer as its end comes near. */
export function TableView({ table, label, path, children, onMore, print }: TableViewProps) {
  const { t, i18n: { language } } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<{ column: number; asc: boolean } | null>(null);
  const [shown, setShown] = useState(ROWS);
  const { head, rows, notes } = table;
  const sorted = useMemo(
    () => sorting ? sortRows(rows, sorting.column, sorting.asc, language) : rows,
    [rows, sorting, language],
  );
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setShown(ROWS);
  }, [sorting]);
  const numeric = useMemo(() => numericColumns(table), [table]);
  usePrintable({
    build: print ?? (() => printedPart({ ...table, rows: sorted }, language, t)),
  });
  useEffect(() => {
    if (path !== undefined && scroller.current) repeatDrawnClick(path, scroller.current);
  }, []);
  const more = () => {
    if (shown < rows.length) setShown(shown + ROWS);
    else onMore?.();
  };
  return (
    <div className="cells">
      <div className="cells__bar">
        <p role="status">
          {t("table.rows", { amount: rows.length })}
          {onMore && ` · ${t("table.partly")}`}
        </p>
        {children}
      </div>
      <div
        className="cells__scroll"
        ref={scroller}
        role="region"
        tabIndex={0}
        aria-label={label}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          const isNear = scrollTop + clientHeight * 2 > scrollHeight;
          if (isNear && shown < rows.length) setShown(shown + ROWS);
        }}
      >
        {notes.length > 0 && (
          <div className="cells__notes" dir="auto">
            {notes.map((note, index) => <p key={index}>{note}</p>)}
          </div>
        )}
        <table>
          <thead>
            <tr>
              {head.map((name, column) => (
                <th
                  key={column}
                  scope="col"
                  data-number={numeric[column] || undefined}
                  aria-sort={sorting?.column !== column
                    ? "none"
                    : sorting.asc
                    ? "ascending"
                    : "descending"}
                >
                  <button
                    type="button"
                    data-command={`sort-${column}`}
                    title={t("table.sortBy", { name })}
                    onClick={() =>
                      setSorting({
                        column,
                        asc: sorting?.column === column ? !sorting.asc : true,
                      })}
                  >
                    <bdi>{name || "–"}</bdi>
                    {sorting?.column === column && (
                      <Icon glyph={sorting.asc ? ArrowUp : ArrowDown} />
                    )}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shown).map((row, index) => (
              <tr key={index}>
                {head.map((_, column) => (
                  <td key={column} dir="auto" data-number={numeric[column] || undefined}>
                    {textIn(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {(shown < rows.length || onMore) && (
          <Button className="cells__more" onClick={more}>{t("preview.loadMore")}</Button>
        )}
      </div>
    </div>
  );
}

/** A table for print, with what is above its head, and a note where it is cut. */
export function printedPart(table: Table, language: string, t: TFunction): Node[] {
  const { head, rows, notes } = table;
  const numeric = numericColumns(table);
  const shown = formatNumber(MOST_PRINTED, language);
  const size = formatNumber(rows.length, language);
  const cut = rows.length > MOST_PRINTED ? [t("preview.firstPart", { shown, size })] : [];
  return [
    ...[...notes, ...cut].map((note) => textElement("p", note)),
    printedTable({
      head,
      rows: rows.slice(0, MOST_PRINTED).map((row) => head.map((_, index) => textIn(row[index]))),
      isNumeric: (column) => numeric[column] ?? false,
    }),
  ];
}

/** Which columns hold numbers, judged by the first rows. */
function numericColumns({ head, rows }: Table): boolean[] {
  const first = rows.slice(0, 50);
  return head.map((_, column) => {
    const read = readerOf(first, column);
    const cells = first.map((row) => row[column]).filter((cell) => textIn(cell).trim() !== "");
    return cells.length > 0 && cells.every((cell) => numberIn(cell, read) !== null);
  });
}

/** A delimited text that is too large for the editor, as a table that is read in parts. */
export function Reader(props: ReaderProps) {
  const encoding = useEncoding(props.entry);
  if (encoding === undefined) return <FileSkeleton isText />;
  return encoding === null ? <NoPreview {...props} /> : <Parts {...props} encoding={encoding} />;
}

function Parts({ entry, source, encoding }: ReaderProps & { encoding: string }) {
  const { t, i18n: { language } } = useTranslation();
  const large = useMemo(() => {
    const read = (from: number, to: number) => readBytes(source.address.peek(), from, to);
    return new LargeTable(entry.size, encoding, read);
  }, [source]);
  const address = source.address.value;
  useEffect(() => void large.more(), [large, address]);
  const isFailed = large.isFailed.value;
  useEffect(() => {
    if (isFailed) void source.failed();
  }, [isFailed]);
  const table = large.table.value;
  if (!table) return <FileSkeleton isText />;
  const at = large.at.value;
  const onMore = at < entry.size ? () => void large.more() : undefined;
  const shown = formatBytes(at, language);
  const size = formatBytes(entry.size, language);
  return (
    <TableView
      table={table}
      label={t("table.label", { name: entry.name })}
      path={parsePath(entry.path).path}
      onMore={onMore}
    >
      {onMore && <p>{t("preview.firstPart", { shown, size })}</p>}
    </TableView>
  );
}

interface CsvViewProps {
  text: string;
  path: EntryPath;
}

/** A delimited text as a table. */
export function CsvView({ text, path }: CsvViewProps) {
  const { t } = useTranslation();
  const table = useMemo(() => tableOf(parseRows(withMarks(text), true).rows), [text]);
  return <TableView table={table} label={t("table.label", { name: nameOf(path) })} path={path} />;
}
