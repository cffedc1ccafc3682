import { deflateRawSync } from "node:zlib";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Version } from "./file_text.ts";
import type { IndexFile } from "./index_file.ts";
import { FOLDERS_BELOW, IndexFolders } from "./index_folders.ts";
import { indexedText } from "./words.ts";

/** The level of compression of the texts: the fast ones save nearly as much. */
const level = 3;

/** A file that is in the index. */
export interface KnownFile {
  id: number;
  version: Version;
}

/** The rows of an index: what is put in and taken out, file by file. Blocks, so for Workers. */
export class IndexWriter {
  readonly #index: IndexFile;
  readonly #folders: IndexFolders;
  #files = 0;
  #characters = 0;

  constructor(index: IndexFile) {
    this.#index = index;
    this.#folders = new IndexFolders(index);
    this.#count();
  }

  /** The number of files with a text. */
  get files(): number {
    return this.#files;
  }

  /** The characters of their texts. */
  get characters(): number {
    return this.#characters;
  }

  /** The bytes that the index takes, without what is free in its file. */
  get bytes(): number {
    const value = (name: string) => Number(this.#index.one(`PRAGMA ${name}`)?.[name]);
    return (value("page_count") - value("freelist_count")) * value("page_size");
  }

  /** The files of a folder that are in the index, by their names. */
  known(folder: EntryPath): Map<string, KnownFile> {
    const id = this.#folders.idOf(folder);
    if (id === null) return new Map();
    const rows = this.#index.each("SELECT * FROM files WHERE folder = ?", id);
    return new Map(Array.from(rows, (row) => [String(row.name), knownOf(row)]));
  }

  /** One of them. */
  knownAt(path: EntryPath): KnownFile | null {
    const id = this.#folders.idOf(parentOf(path));
    const row = id === null
      ? undefined
      : this.#index.one("SELECT * FROM files WHERE folder = ? AND name = ?", id, nameOf(path));
    return row ? knownOf(row) : null;
  }

  /** The folders in a folder that are in the index. */
  foldersIn(folder: EntryPath): EntryPath[] {
    return this.#folders.in(folder);
  }

  /**
   * Puts a file in, in place of an earlier version.
   *
   * @param text null for one that was looked into and has none
   */
  put(path: EntryPath, version: Version, text: string | null): void {
    this.drop(path);
    const id = this.#index.run(
      "INSERT INTO files (folder, name, ino, size, modified, changed, length) VALUES (?,?,?,?,?,?,?)",
      this.#folders.make(parentOf(path)),
      nameOf(path),
      ...[version.ino, version.size, version.modified, version.changed],
      text?.length ?? -1,
    );
    if (text === null) return;
    this.#index.run("INSERT INTO words (rowid, text) VALUES (?, ?)", id, indexedText(text));
    const deflated = new Uint8Array(deflateRawSync(text, { level }));
    this.#index.run("INSERT INTO texts VALUES (?, ?)", id, deflated);
    this.#files++;
    this.#characters += text.length;
  }

  /** Takes a file out, if it is in. */
  drop(path: EntryPath): void {
    const folder = this.#folders.idOf(parentOf(path));
    if (folder === null) return;
    const row = this.#index.one(
      "SELECT id, length FROM files WHERE folder = ? AND name = ?",
      folder,
      nameOf(path),
    );
    if (!row) return;
    const id = Number(row.id);
    this.#index.run("DELETE FROM files WHERE id = ?", id);
    if (Number(row.length) < 0) return;
    this.#index.run("DELETE FROM words WHERE rowid = ?", id);
    this.#index.run("DELETE FROM texts WHERE id = ?", id);
    this.#files--;
    this.#characters -= Number(row.length);
  }

  /** Takes a folder out with all below it, if it is in. */
  dropFolder(path: EntryPath): void {
    if (this.#folders.idOf(path) === null) return;
    const below = this.#folders.rangeOf(path);
    const files = `SELECT id FROM files WHERE folder IN (${FOLDERS_BELOW})`;
    for (
      const [table, key, ids] of [
        ["words", "rowid", files],
        ["texts", "id", files],
        ["files", "folder", FOLDERS_BELOW],
      ]
    ) {
      this.#index.run(`DELETE FROM ${table} WHERE ${key} IN (${ids})`, ...below);
    }
    this.#folders.drop(path);
    this.#count();
  }

  /** Forgets what was not committed. */
  reset(): void {
    this.#folders.forget();
    this.#count();
  }

  #count(): void {
    const row = this.#index.one("SELECT count(*) n, sum(length) s FROM files WHERE length >= 0");
    this.#files = Number(row?.n ?? 0);
    this.#characters = Number(row?.s ?? 0);
  }
}

function knownOf(row: Record<string, unknown>): KnownFile {
  const { id, ino, size, modified, changed } = row;
  const version = {
    ino: Number(ino),
    size: Number(size),
    modified: Number(modified),
    changed: Number(changed),
  };
  return { id: Number(id), version };
}
