import { type EntryPath, parentOf } from "../../../shared/path.ts";
import type { IndexFile } from "./index_file.ts";

/** The folders whose ids are remembered, at most. */
const maxRemembered = 10_000;

/** The ids of a folder and all below it, with the parameters of {@linkcode IndexFolders.rangeOf}. */
export const FOLDERS_BELOW = "SELECT id FROM folders WHERE path = ? OR (path >= ? AND path < ?)";

/** The folders of an index. Blocks, so for Workers. */
export class IndexFolders {
  readonly #index: IndexFile;
  readonly #ids = new Map<string, number>();

  constructor(index: IndexFile) {
    this.#index = index;
  }

  /** The id of a folder; null for one that is not in the index. */
  idOf(path: EntryPath): number | null {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const row = this.#index.one("SELECT id FROM folders WHERE path = ?", path);
    return row ? this.#remember(path, Number(row.id)) : null;
  }

  /** The id of a folder, which is put in with those above it where it is not in. */
  make(path: EntryPath): number {
    const known = this.idOf(path);
    if (known !== null) return known;
    const parent = path === "/" ? 0 : this.make(parentOf(path));
    const id = this.#index.run("INSERT INTO folders (parent, path) VALUES (?, ?)", parent, path);
    return this.#remember(path, id);
  }

  /** The folders in a folder that are in the index. */
  in(folder: EntryPath): EntryPath[] {
    const id = this.idOf(folder);
    if (id === null) return [];
    const rows = this.#index.each("SELECT path FROM folders WHERE parent = ? AND id <> ?", id, id);
    return Array.from(rows, ({ path }) => String(path) as EntryPath);
  }

  /** What finds a folder and all below it. */
  rangeOf(path: EntryPath): [itself: string, from: string, to: string] {
    return path === "/" ? [path, "/", "0"] : [path, `${path}/`, `${path}0`];
  }

  /** Takes a folder out with all below it; what is in them goes first. */
  drop(path: EntryPath): void {
    this.#index.run(`DELETE FROM folders WHERE id IN (${FOLDERS_BELOW})`, ...this.rangeOf(path));
    this.forget();
  }

  /** Forgets ids, which are read again. */
  forget(): void {
    this.#ids.clear();
  }

  #remember(path: string, id: number): number {
    if (this.#ids.size >= maxRemembered) this.#ids.clear();
    this.#ids.set(path, id);
    return id;
  }
}
