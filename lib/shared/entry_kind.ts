import type { Entry } from "./schemas/entry.ts";
import { ARCHIVES, BOOKS, CODE, DISKS, PROGRAMS, SHEETS, SLIDES, WRITINGS } from "./file_kinds.ts";

/**
 * The kinds of entries as people tell them apart, in the order of a listing that is grouped by
 * them: finer than the type, which decides how an entry opens.
 */
export const entryKinds = [
  "folder",
  "image",
  "video",
  "audio",
  "pdf",
  "document",
  "sheet",
  "slides",
  "book",
  "text",
  "code",
  "archive",
  "disk",
  "program",
  "blob",
  "link",
] as const;

/** One of {@linkcode entryKinds}. */
export type EntryKind = typeof entryKinds[number];

const BY_EXTENSION = [
  ["disk", DISKS],
  ["archive", ARCHIVES],
  ["document", WRITINGS],
  ["sheet", SHEETS],
  ["slides", SLIDES],
  ["book", BOOKS],
  ["program", PROGRAMS],
] as const;

/** The kind of an entry, from its type first and its extension second. */
export function entryKind(entry: Pick<Entry, "type" | "isDir" | "extension">): EntryKind {
  if (entry.type === "invalid_link") return "link";
  if (entry.isDir) return "folder";
  const extension = entry.extension.slice(1);
  const known = BY_EXTENSION.find(([, extensions]) => extensions.has(extension));
  if (known) return known[0];
  switch (entry.type) {
    case "image":
    case "audio":
    case "video":
    case "pdf":
      return entry.type;
    case "text":
    case "textImmutable":
      return CODE.has(extension) ? "code" : "text";
    default:
      return "blob";
  }
}
