import { keepIn, openLocalStorage } from "../core/browser_storage.ts";

/** The kinds of archive that the server makes, as its `algo`; the one that opens anywhere first. */
export const archiveKinds = [
  "zip",
  "tar",
  "tar.gz",
  "tar.bz2",
  "tar.xz",
  "tar.zst",
  "tar.lz4",
  "tar.sz",
  "tar.br",
];

const KEY = "archive";

/** The kind that was chosen last in this browser; "zip" at first. */
export function lastArchiveKind(): string {
  const kind = openLocalStorage().getItem(KEY);
  return archiveKinds.find((known) => known === kind) ?? "zip";
}

/** Remembers a choice, where the browser lets pages keep anything. */
export function rememberArchiveKind(kind: string): void {
  keepIn(openLocalStorage(), KEY, kind);
}
