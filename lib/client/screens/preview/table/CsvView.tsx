import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { parseRows, tableOf } from "./parse_table.ts";
import { TableView } from "./TableView.tsx";

interface CsvViewProps {
  text: string;
  name: string;
}

/** A delimited text as a table. */
export function CsvView({ text, name }: CsvViewProps) {
  const { t } = useTranslation();
  const table = useMemo(() => tableOf(parseRows(text, true).rows), [text]);
  return <TableView table={table} label={t("table.label", { name })} />;
}
