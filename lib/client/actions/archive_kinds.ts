import { type ArchiveFormat, archiveFormats } from "../../shared/schemas/choices.ts";
import { keepIn, openLocalStorage } from "../core/browser_storage.ts";

const KEY = "archive";

/** The format chosen last in this browser; "zip" at first. */
export function lastArchiveKind(): ArchiveFormat {
  const kind = openLocalStorage().getItem(KEY);
  return archiveFormats.find((known) => known === kind) ?? "zip";
}

/** Remembers a choice, if the browser allows storage. */
export function rememberArchiveKind(kind: string): void {
  keepIn(openLocalStorage(), KEY, kind);
}
