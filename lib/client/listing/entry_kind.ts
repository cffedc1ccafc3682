import type { Entry } from "../../shared/api_types.ts";
import { ARCHIVES, CODE } from "../../shared/file_kinds.ts";

/** The appearance of an entry in a listing: finer than the type, which decides how it opens. */
export type EntryKind =
  | "folder"
  | "image"
  | "audio"
  | "video"
  | "pdf"
  | "text"
  | "code"
  | "archive"
  | "blob"
  | "link";

/** The kind of an entry, from its type first and its extension second. */
export function entryKind(entry: Pick<Entry, "type" | "isDir" | "extension">): EntryKind {
  if (entry.type === "invalid_link") return "link";
  if (entry.isDir) return "folder";
  const extension = entry.extension.slice(1);
  if (ARCHIVES.has(extension)) return "archive";
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
