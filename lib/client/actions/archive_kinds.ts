import { keepIn, openLocalStorage } from "../core/browser_storage.ts";

/** The archive formats of the server, as its `algo`; the most widely supported one first. */
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

/** The format chosen last in this browser; "zip" at first. */
export function lastArchiveKind(): string {
  const kind = openLocalStorage().getItem(KEY);
  return archiveKinds.find((known) => known === kind) ?? "zip";
}

/** Remembers a choice, if the browser allows storage. */
export function rememberArchiveKind(kind: string): void {
  keepIn(openLocalStorage(), KEY, kind);
}
