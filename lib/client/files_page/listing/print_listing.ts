import type { TFunction } from "i18next";
import { entryKind } from "../../../shared/entry_kind.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { nameOf } from "../../../shared/path.ts";
import type { Entry, Resource } from "../../../shared/schemas/entry.ts";
import type { Api } from "../../base/api/api.ts";
import { formatBytes, formatExact, formatList, formatNumber } from "../../base/core/format.ts";
import { CHUNK, type Rows, type Span } from "../../base/files/rows.ts";
import {
  MOST_PRINTED,
  offerToPrint,
  printedTable,
  readNow,
  textElement,
} from "../../base/core/print_sheet.ts";
import type { Listing } from "./listing.ts";

/** Rows that are read at a time. */
const WINDOW = 40 * CHUNK;

/** The dependencies of a printed listing. */
interface PrintOptions {
  api: Pick<Api, "addressOf">;
  listing: Listing;
  t: TFunction;
  language: string;
}

/** Prints the open folder with all its entries, not just the rows in view. */
export function printListing({ api, listing, t, language }: PrintOptions): void {
  /** Rows that were read for a print, and the rows on screen that they go with. */
  let read: { of: Rows; all: Rows } | null = null;
  const known = () => {
    const of = listing.rows.peek();
    return read?.of === of ? read.all : of;
  };
  const missing = (): Span | undefined => {
    const [span] = known().missing({ from: 0, to: MOST_PRINTED });
    return span && { from: span.from, to: Math.min(span.to, span.from + WINDOW) };
  };
  const windowOf = ({ from, to }: Span) => {
    const filter = listing.filter.peek() || undefined;
    return { offset: from, limit: to - from, filter, groupBy: listing.order.groupBy };
  };
  const take = ({ from }: Span, items: Entry[] | undefined) => {
    if (!items || items.length === 0) return false;
    read = { of: listing.rows.peek(), all: known().with(from, items) };
    return true;
  };
  const isFolder = () => listing.resource.peek()?.isDir === true;

  offerToPrint({
    async prepare() {
      for (let span = missing(); span && isFolder(); span = missing()) {
        const { sorting } = listing.order;
        const answer = await listing.source.resource(listing.path.peek(), {
          ...windowOf(span),
          sorting,
        });
        if (!answer.ok || !take(span, answer.value.items)) return;
      }
    },
    build() {
      if (!isFolder() || document.querySelector(".viewer")) return null;
      for (let span = missing(); span; span = missing()) {
        if (!take(span, readWindow(span))) break;
      }
      const rows = known();
      const entries = [...rows.entries({ from: 0, to: MOST_PRINTED })].map(([, entry]) => entry);
      const { numDirs = 0, numFiles = 0 } = listing.resource.peek() ?? {};
      const counts = [
        numDirs > 0 && t("files.folderCount", { count: numDirs }),
        numFiles > 0 && t("files.fileCount", { count: numFiles }),
        entries.length < rows.total && t("preview.firstPart", {
          shown: formatNumber(entries.length, language),
          size: formatNumber(rows.total, language),
        }),
      ];
      const columns = ["name", "type", "size", "modified"] as const;
      return [
        textElement("h1", displayName(nameOf(listing.path.peek())) || t("files.myFiles")),
        textElement("p", formatList(counts, language)),
        printedTable({
          head: columns.map((by) => t(`files.column.${by}`)),
          rows: entries.map((entry) => [
            displayName(entry.name),
            t(`info.kinds.${entryKind(entry)}`),
            entry.isDir ? "" : formatBytes(entry.size, language),
            formatExact(entry.modified, language),
          ]),
          isNumeric: (column) => columns[column] === "size",
        }),
      ];
    },
  });

  function readWindow(span: Span): Entry[] | undefined {
    // Lists of entries of many folders have another address; they print what was read.
    if (listing.isFlat) return undefined;
    const { by: sort, asc } = listing.sorting.peek();
    const bytes = readNow(api.addressOf("GET /api/resources/{path}", {
      params: { path: listing.path.peek() },
      query: { ...windowOf(span), sort, order: asc ? "asc" : "desc" },
    }));
    if (!bytes) return undefined;
    return (JSON.parse(new TextDecoder().decode(bytes)) as Resource).items;
  }
}
