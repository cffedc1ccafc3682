import type { AuditRecord } from "../../../shared/schemas/audit.ts";
import { escapeControls } from "../../core/log/log.ts";
import type { Store } from "../../core/kv/store.ts";
import { allAudit, type AuditFilter } from "./search_audit.ts";

/** The forms of an export. */
export const exportFormats = ["csv", "json"] as const;

/** One of {@linkcode exportFormats}. */
export type ExportFormat = typeof exportFormats[number];

const columns = [
  "seq",
  "time",
  "action",
  "user",
  "userId",
  "address",
  "path",
  "to",
  "subject",
  "former",
] as const satisfies readonly (keyof AuditRecord)[];

/**
 * The log as lines of text, from the oldest record on: CSV with a heading, whose times have the
 * offset of a time zone; or one JSON object a line, as the records are, which can be verified.
 *
 * @param timeZone UTC, or an IANA name
 */
export async function* exportAudit(
  store: Store,
  format: ExportFormat,
  filter: AuditFilter,
  timeZone = "UTC",
): AsyncGenerator<string> {
  if (format === "csv") yield columns.join(",");
  for await (const record of allAudit(store, filter)) {
    yield format === "json" ? JSON.stringify(record) : csvLine(record, timeZone);
  }
}

function csvLine(record: AuditRecord, timeZone: string): string {
  const shown = { ...record, time: timeIn(record.time, timeZone) };
  return columns.map((column) => csvCell(shown[column])).join(",");
}

/** A moment as RFC 3339 writes it, with the offset of a time zone: `2026-01-31T13:00:00.000+01:00`. */
function timeIn(time: string, timeZone: string): string {
  if (timeZone === "UTC") return time;
  return Temporal.Instant.from(time).toZonedDateTimeISO(timeZone)
    .toString({ fractionalSecondDigits: 3, timeZoneName: "never" });
}

/**
 * One cell of CSV. Control characters are escaped, so that a name cannot forge a line; what a
 * spreadsheet would take for a formula begins with an apostrophe (CWE-1236).
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = escapeControls(value);
  const isFormula = /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/.test(text);
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
}
