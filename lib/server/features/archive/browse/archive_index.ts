import { DomainError, type ErrorCode } from "../../../../shared/errors.ts";
import { segmentsOf } from "../../../../shared/path.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { ArchivedEntry, EntryPlace } from "../extract/archived_entry.ts";
import { namesOf } from "../extract/entry_path.ts";

/** A file, a folder or a link in an archive. */
export interface IndexedEntry {
  name: string;
  kind: "file" | "folder" | "link" | "other";
  /** Bytes; of a folder those of all files in it. */
  size: number;
  /** Milliseconds since 1970; null where the archive does not tell. */
  modified: number | null;
  isEncrypted: boolean;
  /** How to find the content of a file. */
  place: EntryPlace | null;
  /** Of a folder: its entries by their names. */
  children: Map<string, IndexedEntry> | null;
}

/** A folder of an archive. */
export type IndexedFolder = IndexedEntry & { children: Map<string, IndexedEntry> };

/** An entry that is not shown. */
export interface RefusedEntry {
  path: string;
  code: ErrorCode;
}

/** Most refused entries that are named; the others are counted. */
const maxNamed = 100;

/** The entries of an archive as a tree, without their content. */
export class ArchiveIndex {
  readonly top: IndexedFolder = newFolder("");
  /** Some of the entries that are not shown, and how many there are in all. */
  readonly refused: RefusedEntry[] = [];
  refusedCount = 0;
  #count = 0;

  /** How many files, folders and links there are. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds an entry. One whose path leads out of the archive, or that no disk takes, is noted as
   * refused; a later one replaces an earlier one of the same path, as programs that extract do.
   */
  add(entry: ArchivedEntry): void {
    const names = this.#namesOf(entry.path);
    const name = names?.at(-1);
    if (!names || name === undefined) return;
    const above = this.#enter(names.slice(0, -1));
    const before = above?.children.get(name);
    if (!above || (before && (before.kind === "folder") !== (entry.kind === "folder"))) {
      return this.#refuse(entry.path, "unsafe_archive");
    }
    if (entry.kind === "folder") {
      const folder = before ?? this.#put(above, newFolder(name));
      folder.modified = entry.modified;
      return;
    }
    const { size, kind, place } = this.#contentOf(entry);
    const { modified, isEncrypted = false } = entry;
    this.#put(above, { name, kind, size, modified, isEncrypted, place, children: null });
    const more = size - (before?.size ?? 0);
    let folder: IndexedEntry | undefined = this.top;
    for (const step of names) {
      if (folder) folder.size += more;
      folder = folder?.children?.get(step);
    }
  }

  /** The entry of a path; undefined when there is none. */
  find(names: readonly string[]): IndexedEntry | undefined {
    let entry: IndexedEntry | undefined = this.top;
    for (const name of names) entry = entry?.children?.get(name);
    return entry;
  }

  /**
   * A folder.
   *
   * @throws {DomainError} `not_found` also for what is no folder
   */
  folder(path: EntryPath): IndexedFolder {
    const found = this.find(segmentsOf(path));
    if (found?.children) return found as IndexedFolder;
    throw new DomainError("not_found", `Cannot list "${path}": the archive has no such folder`);
  }

  /** A hard link of a tar has the content of the file before it. */
  #contentOf({ kind, size, place, original }: ArchivedEntry) {
    if (kind !== "copy") return { kind, size, place: place ?? null };
    const first = this.find(this.#namesOf(original ?? "") ?? [""]);
    if (first?.kind !== "file") return { kind: "link" as const, size: 0, place: null };
    return { kind: first.kind, size: first.size, place: first.place };
  }

  #enter(names: readonly string[]): IndexedFolder | null {
    let folder = this.top;
    for (const name of names) {
      const next = folder.children.get(name) ?? this.#put(folder, newFolder(name));
      if (!next.children) return null;
      folder = next as IndexedFolder;
    }
    return folder;
  }

  #put<Entry extends IndexedEntry>(above: IndexedFolder, entry: Entry): Entry {
    if (!above.children.has(entry.name)) this.#count++;
    above.children.set(entry.name, entry);
    return entry;
  }

  #namesOf(path: string): string[] | null {
    try {
      return namesOf(path);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#refuse(path, error.code);
      return null;
    }
  }

  #refuse(path: string, code: ErrorCode): void {
    this.refusedCount++;
    if (this.refused.length >= maxNamed) return;
    this.refused.push({ path: path.toWellFormed().slice(0, 300), code });
  }
}

function newFolder(name: string): IndexedFolder {
  const facts = { size: 0, modified: null, isEncrypted: false, place: null };
  return { name, kind: "folder", ...facts, children: new Map() };
}
