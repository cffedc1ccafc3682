import type { EntryPath } from "../../../shared/path.ts";
import {
  type BrowserStorage,
  keepIn,
  openLocalStorage,
  pathsIn,
} from "../../base/core/browser_storage.ts";
import { type DocumentFormat, documentFormats } from "../../../shared/document_kinds.ts";
import { type ArchiveFormat, archiveFormats } from "../../../shared/schemas/choices/choices.ts";

/** The number of folders that are remembered. */
const MOST = 5;

/** The last folders that a user has moved or copied to in this browser, the latest first. */
export class RecentTargets {
  readonly #key: string;
  readonly #storage: BrowserStorage;

  /** @param userId each account of a browser has its own */
  constructor(userId = 0, storage = openLocalStorage()) {
    this.#key = `targets.${userId}`;
    this.#storage = storage;
  }

  /** The folders, as far as they can be read. */
  list(): EntryPath[] {
    return pathsIn(this.#storage, this.#key, MOST);
  }

  /** Puts a folder first. */
  remember(folder: EntryPath): void {
    const others = this.list().filter((path) => path !== folder);
    keepIn(this.#storage, this.#key, JSON.stringify([folder, ...others].slice(0, MOST)));
  }
}

/** Where the browser keeps the format of archives. */
const ARCHIVE_KEY = "archive";

/** The format chosen last in this browser; "zip" at first. */
export function lastArchiveKind(): ArchiveFormat {
  const kind = openLocalStorage().getItem(ARCHIVE_KEY);
  return archiveFormats.find((known) => known === kind) ?? "zip";
}

/** Remembers a choice, if the browser allows storage. */
export function rememberArchiveKind(kind: string): void {
  keepIn(openLocalStorage(), ARCHIVE_KEY, kind);
}

/** Where the browser keeps the format of new documents. */
const DOCUMENT_KEY = "document";

/** The format of documents chosen last in this browser; that of Microsoft Office at first. */
export function lastDocumentFormat(): DocumentFormat {
  const format = openLocalStorage().getItem(DOCUMENT_KEY);
  return documentFormats.find((known) => known === format) ?? "ooxml";
}

/** Remembers a choice, if the browser allows storage. */
export function rememberDocumentFormat(format: DocumentFormat): void {
  keepIn(openLocalStorage(), DOCUMENT_KEY, format);
}
