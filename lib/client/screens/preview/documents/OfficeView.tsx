import { FileX } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { StatusScreen } from "../../../../../components/StatusScreen.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import { parsePath } from "../../../../shared/path.ts";
import { formatBytes } from "../../../base/core/format.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { usePage } from "../../../base/core/page.ts";
import { useFiles } from "../../../base/files/use_files.ts";
import { readBytes } from "../large_text.ts";
import { DownloadLink, type ReaderProps } from "../Content.tsx";
import { printedPart, TableView } from "../table/TableView.tsx";
import { textElement } from "../../../base/core/print_sheet.ts";
import { documentSheet } from "./chapter_sheet.ts";
import { Reader as Converted } from "./ConvertedView.tsx";
import { readDocx, readWorkbook, TooLargeError } from "./office.ts";
import type { Sheet, SheetTable } from "./workbook.ts";
import { isOlderDocument, isWordName } from "../../../../shared/file_kinds.ts";

/** The largest office document that is shown, in bytes. */
const LARGEST = 30 * 2 ** 20;

type Shown =
  | { is: "loading" }
  | { is: "text"; html: string }
  | { is: "sheets"; sheets: Sheet[] }
  | { is: "older" }
  | { is: "nothing"; why: "tooLarge" | "officeFailed" };

/** A Word document as text, an Excel workbook as tables. */
export function Reader({ entry, source, clock }: ReaderProps) {
  const { t, i18n: { language } } = useTranslation();
  const { config } = usePage().data;
  const [shown, setShown] = useState<Shown>({ is: "loading" });
  const address = source.address.value;
  useEffect(() => {
    let isOver = false;
    const show = async (): Promise<Shown | null> => {
      if (entry.size > LARGEST) return { is: "nothing", why: "tooLarge" };
      const bytes = await readBytes(address, 0, entry.size);
      if (bytes === null) {
        await source.failed();
        return null;
      }
      if (config.EnablePapers && isOlderDocument(bytes)) return { is: "older" };
      if (isWordName(entry.name)) return { is: "text", html: await readDocx(bytes) };
      return { is: "sheets", sheets: readWorkbook(bytes, language) };
    };
    const explain = (error: unknown): Shown => {
      return { is: "nothing", why: error instanceof TooLargeError ? "tooLarge" : "officeFailed" };
    };
    void show().catch(explain).then((made) => made && !isOver && setShown(made));
    return () => {
      isOver = true;
    };
  }, [address, entry.modified]);

  switch (shown.is) {
    case "loading":
      return <FileSkeleton isText />;
    case "text":
      return <TextPaper html={shown.html} name={displayName(entry.name)} />;
    case "older":
      return <Converted {...{ entry, source, clock }} />;
    case "sheets":
      return <Sheets sheets={shown.sheets} />;
    case "nothing":
      return (
        <StatusScreen
          glyph={FileX}
          title={displayName(entry.name)}
          text={t(`reader.${shown.why}`, { size: formatBytes(LARGEST, language) })}
        >
          <DownloadLink path={parsePath(entry.path).path} />
        </StatusScreen>
      );
  }
}

function TextPaper({ html, name }: { html: string; name: string }) {
  const { navigation } = useFiles();
  const paper = useRef<HTMLDivElement>(null);
  useEffect(() => paper.current?.replaceChildren(documentSheet(html, { path: null })), [html]);
  return (
    <section
      className="paper paper--single"
      data-own-keys
      onKeyDown={({ key }) => key === "Escape" && navigation.leave()}
    >
      <div
        className="paper__sheet markdown"
        ref={paper}
        role="document"
        tabIndex={0}
        aria-label={name}
        onPointerDown={(event) => event.stopPropagation()}
      />
    </section>
  );
}

function Sheets({ sheets }: { sheets: Sheet[] }) {
  const { t, i18n: { language } } = useTranslation();
  const [number, setNumber] = useState(0);
  const sheet = sheets[number];
  const [read, setRead] = useState<{ of: Sheet; table: SheetTable; isWhole: boolean } | null>(null);
  useEffect(() => {
    if (!sheet) return;
    const steps = sheet.steps();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let last: SheetTable | null = null;
    const step = () => {
      const { value, done } = steps.next();
      if (value) last = value;
      if (last && (value || done)) setRead({ of: sheet, table: last, isWhole: done === true });
      if (!done) waiting = setTimeout(step);
    };
    step();
    return () => clearTimeout(waiting);
  }, [sheet]);
  const print = () =>
    sheets.flatMap((sheet) => [
      ...sheets.length > 1 ? [textElement("h2", sheet.name)] : [],
      ...printedPart(sheet.table(), language, t),
    ]);
  if (!sheet) return null;
  const table = read?.of !== sheet ? <FileSkeleton isText /> : (
    <TableView
      key={number}
      table={read.table}
      label={t("table.label", { name: sheet.name })}
      print={print}
    >
      {!read.isWhole && <p>{t("table.partly")}</p>}
      {read.table.hidden.rows > 0 && (
        <p>{t("table.hiddenRows", { amount: read.table.hidden.rows })}</p>
      )}
      {read.table.hidden.columns > 0 && (
        <p>{t("table.hiddenColumns", { amount: read.table.hidden.columns })}</p>
      )}
    </TableView>
  );
  if (sheets.length === 1) return table;
  return (
    <div className="sheets">
      <div id={PANEL} className="sheets__panel" role="tabpanel" aria-labelledby={tabOf(number)}>
        {table}
      </div>
      <SheetTabs names={sheets.map(({ name }) => name)} shown={number} onShow={setNumber} />
    </div>
  );
}

const PANEL = "sheet";
const tabOf = (number: number) => `${PANEL}-${number}`;

interface SheetTabsProps {
  names: readonly string[];
  shown: number;
  onShow: (number: number) => void;
}

/** The sheets of a workbook, as tabs at its foot. */
function SheetTabs({ names, shown, onShow }: SheetTabsProps) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey) return;
    if (key === "Escape") return navigation.leave();
    const [before, after] = [shown + names.length - 1, shown + 1];
    const [left, right] = document.dir === "rtl" ? [after, before] : [before, after];
    const places: Record<string, number> = {
      ...{ ArrowLeft: left, ArrowRight: right, Home: 0, End: names.length - 1 },
    };
    const place = places[key];
    if (place === undefined) return;
    event.preventDefault();
    const next = place % names.length;
    onShow(next);
    document.getElementById(tabOf(next))?.focus();
  };
  return (
    <div
      className="sheets__tabs"
      role="tablist"
      aria-label={t("reader.sheet")}
      data-own-keys
      onKeyDown={onKeyDown}
    >
      {names.map((name, number) => (
        <button
          key={number}
          type="button"
          id={tabOf(number)}
          className="sheets__tab"
          role="tab"
          title={name}
          aria-selected={number === shown}
          aria-controls={PANEL}
          tabIndex={number === shown ? 0 : -1}
          onClick={() => onShow(number)}
        >
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  );
}
