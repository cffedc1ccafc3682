import type { Entry } from "../../shared/api_types.ts";

/** What an entry looks like in a listing: finer than the type, which only says how it is opened. */
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

const ARCHIVES = new Set(
  ".zip .tar .gz .tgz .bz2 .tbz2 .xz .txz .zst .br .lz4 .sz .7z .rar .iso .dmg .cab .deb .rpm .jar"
    .split(" "),
);

const CODE = new Set(
  (".ts .tsx .js .jsx .mjs .cjs .json .jsonc .yaml .yml .toml .xml .html .htm .css .scss .less " +
    ".vue .svelte .py .rb .php .pl .lua .go .rs .c .h .cc .cpp .hpp .cs .java .kt .swift .dart .ex " +
    ".hs .scala .sh .bash .zsh .ps1 .bat .sql .graphql .proto .tf .nix .ini .cfg .conf .env .lock")
    .split(" "),
);

/** The kind of an entry, from its type first and its extension second. */
export function entryKind(entry: Pick<Entry, "type" | "isDir" | "extension">): EntryKind {
  if (entry.type === "invalid_link") return "link";
  if (entry.isDir) return "folder";
  if (ARCHIVES.has(entry.extension)) return "archive";
  switch (entry.type) {
    case "image":
    case "audio":
    case "video":
    case "pdf":
      return entry.type;
    case "text":
    case "textImmutable":
      return CODE.has(entry.extension) ? "code" : "text";
    default:
      return "blob";
  }
}
