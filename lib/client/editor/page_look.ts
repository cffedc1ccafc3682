import type { Text } from "@codemirror/state";
import { isTableName } from "../../shared/file_kinds.ts";

/** Longer documents take a browser many seconds to lay out. */
const TOO_LONG = 500_000;

/** How a text is shown to be read: as a document or a table. */
export type PageKind = "document" | "table";

/**
 * How a text can be shown to be read; null for one that only the editor shows: code, a text that is
 * too long, and an empty one, in which there is nothing to read.
 */
export function pageKind(name: string, text: Text): PageKind | null {
  if (text.length === 0) return null;
  if (isTableName(name)) return "table";
  return /\.(md|markdown|mkd|mdown)$/i.test(name) && text.length <= TOO_LONG ? "document" : null;
}
