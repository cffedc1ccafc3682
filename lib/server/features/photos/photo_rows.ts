import type { IndexFile, IndexLayout } from "../contents/index_file.ts";
import { FOLDERS_BELOW, IndexFolders } from "../contents/index_folders.ts";
import type { Version } from "../contents/file_text.ts";
import { kindOfMethod, methodOf } from "../previews/images/preview_method.ts";
import { type EntryPath, joinPaths, nameOf, parentOf } from "../../../shared/path.ts";
import type { MediaInfo } from "../../../shared/schemas/media.ts";
import { NO_RATIO } from "../../../shared/schemas/choices/choices.ts";
import { ratioOf } from "../previews/media/ratios.ts";

/** The photos in the index, at most: some 250 bytes each. */
export const maxPhotos = 1_000_000;

/**
 * The index of photos and videos ("Cubp"). `time` is in milliseconds since 1970: by the clock of the
 * camera as if that were UTC, where `is_wall` says so, else an instant. Until a file is read, it is
 * that of its modification.
 */
export const photoLayout: IndexLayout = {
  name: "Timeline",
  version: 1,
  applicationId: 0x43756270,
  tables: `
  CREATE TABLE photos (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    folder INTEGER NOT NULL,
    name TEXT NOT NULL,
    ino REAL NOT NULL, size REAL NOT NULL, modified REAL NOT NULL, changed REAL NOT NULL,
    time REAL NOT NULL, is_wall INTEGER NOT NULL,
    ratio INTEGER NOT NULL, latitude REAL, longitude REAL,
    unread INTEGER NOT NULL,
    UNIQUE (folder, name)
  );
  CREATE INDEX photos_unread ON photos (id) WHERE unread = 1;
  CREATE INDEX photos_ino ON photos (ino);
`,
};

/** Whether a file of a name is a photo or a video, as far as the name tells. */
export function isPhotoName(name: string): boolean {
  const method = methodOf(name);
  if (method === null) return false;
  const kind = kindOfMethod(method);
  return kind === "image" || kind === "video";
}

/** A file in the index whose facts are not known yet. Plain data. */
export interface UnreadPhoto {
  id: number;
  /** Below the server root. */
  place: EntryPath;
}

/** What was read of a file. Plain data. */
export interface ReadPhoto {
  id: number;
  /** Null for a file that is gone. */
  info: MediaInfo | null;
}

/** The rows of the index of photos. Blocks, so for Workers. */
export class PhotoRows {
  readonly #index: IndexFile;
  readonly #folders: IndexFolders;
  #count: number;

  constructor(index: IndexFile) {
    this.#index = index;
    this.#folders = new IndexFolders(index);
    this.#count = Number(index.one("SELECT count(*) n FROM photos")?.n ?? 0);
  }

  /** The photos of a folder that are in the index, by their names. */
  known(folder: EntryPath): Map<string, { version: Version }> {
    const id = this.#folders.idOf(folder);
    if (id === null) return new Map();
    const rows = this.#index.each(
      `SELECT ${versionColumns}, name FROM photos WHERE folder = ?`,
      id,
    );
    return new Map(Array.from(rows, (row) => [String(row.name), { version: versionIn(row) }]));
  }

  /** One of them. */
  knownAt(path: EntryPath): { id: number; version: Version } | null {
    const folder = this.#folders.idOf(parentOf(path));
    if (folder === null) return null;
    const sql = `SELECT id, ${versionColumns} FROM photos WHERE folder = ? AND name = ?`;
    const row = this.#index.one(sql, folder, nameOf(path));
    return row ? { id: Number(row.id), version: versionIn(row) } : null;
  }

  /** The folders in a folder that are in the index. */
  foldersIn(folder: EntryPath): EntryPath[] {
    return this.#folders.in(folder);
  }

  /**
   * Puts a file in that is to be read, or that is known by another name: a moved file keeps its
   * facts.
   */
  put(path: EntryPath, version: Version): void {
    const known = this.knownAt(path);
    if (!known && this.#count >= maxPhotos) return;
    const { ino, size, modified, changed } = version;
    const same = this.#index.one(
      "SELECT time, is_wall, ratio, latitude, longitude FROM photos " +
        "WHERE ino = ? AND size = ? AND modified = ? AND unread = 0",
      ino,
      size,
      modified,
    );
    this.#index.run(
      "INSERT OR REPLACE INTO photos (id, folder, name, ino, size, modified, changed, " +
        "time, is_wall, ratio, latitude, longitude, unread) " +
        "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
      known?.id ?? null,
      this.#folders.make(parentOf(path)),
      nameOf(path),
      ...[ino, size, modified, changed],
      ...(same
        ? [same.time, same.is_wall, same.ratio, same.latitude, same.longitude, 0] as number[]
        : [modified, 0, 0, null, null, 1]),
    );
    if (!known) this.#count++;
  }

  /** Files that are to be read, from an id on. @param places these alone */
  unread(after: number, limit: number): UnreadPhoto[] {
    const rows = this.#index.each(
      "SELECT p.id AS id, d.path AS path, p.name AS name FROM photos p " +
        "JOIN folders d ON d.id = p.folder WHERE p.unread = 1 AND p.id > ? ORDER BY p.id LIMIT ?",
      after,
      limit,
    );
    return Array.from(rows, ({ id, path, name }) => ({
      id: Number(id),
      place: joinPaths(String(path) as EntryPath, `/${name}` as EntryPath),
    }));
  }

  /** Takes over what was read of a file. */
  tell({ id, info }: ReadPhoto): void {
    if (!info) {
      this.#index.run("DELETE FROM photos WHERE id = ?", id);
      this.#count--;
      return;
    }
    const time = info.taken === undefined ? NaN : Date.parse(`${info.taken}Z`);
    const isKnown = !Number.isNaN(time);
    const { latitude = null, longitude = null } = info;
    this.#index.run(
      "UPDATE photos SET time = CASE WHEN ? THEN ? ELSE modified END, is_wall = ?, ratio = ?, " +
        "latitude = ?, longitude = ?, unread = 0 WHERE id = ?",
      ...[isKnown ? 1 : 0, isKnown ? time : 0, isKnown && info.takenZone !== "Z" ? 1 : 0],
      ...[ratioOf(info) || NO_RATIO, latitude, longitude, id],
    );
  }

  /** Takes a file out, if it is in. */
  drop(path: EntryPath): void {
    const known = this.knownAt(path);
    if (known) this.tell({ id: known.id, info: null });
  }

  /** Takes a folder out with all below it, if it is in. */
  dropFolder(path: EntryPath): void {
    if (this.#folders.idOf(path) === null) return;
    const below = this.#folders.rangeOf(path);
    this.#index.run(`DELETE FROM photos WHERE folder IN (${FOLDERS_BELOW})`, ...below);
    this.#folders.drop(path);
    this.#count = Number(this.#index.one("SELECT count(*) n FROM photos")?.n ?? 0);
  }
}

const versionColumns = "ino, size, modified, changed";

/** The version of a file in a row of the index. */
export function versionIn({ ino, size, modified, changed }: Record<string, unknown>): Version {
  return {
    ...{ ino: Number(ino), size: Number(size) },
    ...{ modified: Number(modified), changed: Number(changed) },
  };
}
