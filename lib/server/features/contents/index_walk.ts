import { mayHang } from "../../core/access/place_state.ts";
import type { Access } from "../../core/access/access.ts";
import { SearchFolder } from "../../core/access/search_folder.ts";
import { pathBelow } from "../../core/disk/real_path.ts";
import { FolderQueue } from "../../files/search/folder_queue.ts";
import { look, pick, spentIn } from "../../files/search/folder_visit.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { childrenOf, type EntryPath, ROOT } from "../../../shared/path.ts";
import { isSameVersion, type Version, versionOf } from "./file_text.ts";

/** Entries that are looked at between two rests. */
const stride = 200;

/** An index that a walk brings in line with the disk. */
interface WalkedIndex {
  /** The files of a folder that are in it, by their names. */
  known(folder: EntryPath): Map<string, { version: Version }>;
  /** One of them. */
  knownAt(path: EntryPath): { version: Version } | null;
  /** The folders in a folder that are in it. */
  foldersIn(folder: EntryPath): EntryPath[];
  /** Takes a file out, if it is in. */
  drop(path: EntryPath): void;
  /** Takes a folder out with all below it, if it is in. */
  dropFolder(path: EntryPath): void;
}

/**
 * Files of macOS in a folder that hold nothing of worth, as their entries are gone; null at the end
 * of the walk.
 */
export type SpentCompanions = { folder: EntryPath; names: string[] } | null;

/** The dependencies of a walk. */
interface WalkOptions {
  /** The server's own: all but what is reserved, the trash and temporary files. */
  access: Access;
  writer: WalkedIndex;
  /** Whether files of a name belong into the index. */
  isWanted(name: string): boolean;
  /**
   * Puts a file in that is new or has changed.
   *
   * @param isWalking false for a change that was told of
   */
  put(path: EntryPath, isWalking: boolean): Promise<void>;
  /** Called between steps; the walk continues when it resolves. */
  rest(): Promise<void>;
  /** Takes what a walk through all files comes by. */
  onSpent?: ((spent: SpentCompanions) => Promise<void>) | undefined;
}

/** Brings the index in line with the disk: a folder with all below it, or a single entry. */
export class IndexWalk {
  readonly #options: WalkOptions;
  /** Entries that were come by. */
  seen = 0;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /** Walks through a folder and all below it. Files that have not changed are not read. */
  async walk(path: EntryPath): Promise<void> {
    const { access, rest } = this.#options;
    const queue = new FolderQueue<SearchFolder>();
    queue.add([SearchFolder.of(access.folder(path))]);
    for (let folder = queue.next(); folder; folder = queue.next()) {
      queue.add(await this.#folder(folder));
      await rest();
    }
  }

  /** Looks at one entry that may have come, changed or gone. */
  async touch(path: EntryPath): Promise<void> {
    if (path === ROOT) return await this.walk(path);
    const { access, writer } = this.#options;
    const entry = unlessRefused(() => access.stat(path));
    if (entry === null || entry.isLink) {
      writer.drop(path);
      writer.dropFolder(path);
      return;
    }
    const { root } = access.spec;
    if (mayHang(entry.real, root)) return;
    const own = pathBelow(entry.real, root);
    if (entry.isFolder) {
      writer.drop(own);
      return await this.walk(own);
    }
    writer.dropFolder(own);
    const isWanted = entry.isFile && entry.info.size > 0 && this.#options.isWanted(entry.name);
    if (!isWanted) return writer.drop(own);
    const known = writer.knownAt(own);
    if (!known || !isSameVersion(known.version, versionOf(entry.info))) {
      await this.#options.put(own, false);
    }
  }

  /** @returns the folders in it, to be walked next */
  async #folder(folder: SearchFolder): Promise<SearchFolder[]> {
    const { access, writer, rest, isWanted, onSpent } = this.#options;
    const { path } = folder;
    const { hits, branches, orphans } = pick(folder, () => true);
    const pathOf = childrenOf(path);
    const known = writer.known(path);
    const changed: EntryPath[] = [];
    const files = hits.filter(({ kind, name }) => kind === "file" && isWanted(name));
    this.seen += hits.length - files.length;
    for (const { child: { name }, info } of look(folder, files)) {
      if (this.seen++ % stride === 0) await rest();
      if (!info.isFile || info.size === 0) continue;
      const before = known.get(name)?.version;
      if (!before || !isSameVersion(before, versionOf(info))) changed.push(pathOf(name));
      known.delete(name);
    }
    for (const name of known.keys()) writer.drop(pathOf(name));
    const there = new Set(branches.map((branch) => branch.path));
    for (const gone of writer.foldersIn(path)) if (!there.has(gone)) writer.dropFolder(gone);
    for (const file of changed) {
      await this.#options.put(file, true);
      await rest();
    }
    const names = onSpent ? spentIn(folder, orphans) : [];
    if (names.length > 0) await onSpent?.({ folder: path, names });
    return branches.filter(({ real }) => !mayHang(real, access.spec.root));
  }
}
