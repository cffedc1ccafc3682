import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../../../base/core/format.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { readBytes } from "../large_text.ts";
import type { ReaderProps } from "../Reader.tsx";
import { LargeTable } from "./large_table.ts";
import { TableView } from "./TableView.tsx";

/** A delimited text that is too large for the editor, as a table that is read in parts. */
export function Reader({ entry, source }: ReaderProps) {
  const { t, i18n: { language } } = useTranslation();
  const large = useMemo(() => {
    const read = (from: number, to: number) => readBytes(source.address.peek(), from, to);
    return new LargeTable(entry.size, read);
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
    <TableView table={table} label={t("table.label", { name: entry.name })} onMore={onMore}>
      {onMore && <p>{t("preview.firstPart", { shown, size })}</p>}
    </TableView>
  );
}
