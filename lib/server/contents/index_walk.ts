import type { Access } from "../access/access.ts";
import { mayHang } from "../access/place_state.ts";
import { SearchFolder } from "../access/search_folder.ts";
import { pathBelow } from "../disk/real_path.ts";
import { DomainError } from "../../shared/errors.ts";
import { childrenOf, type EntryPath, ROOT } from "../../shared/path.ts";
import { FolderQueue } from "../search/folder_queue.ts";
import { look, pick } from "../search/folder_visit.ts";
import {
  isSameVersion,
  mayHaveText,
  type ReadingOptions,
  readText,
  type Version,
  versionOf,
} from "./file_text.ts";
import type { IndexWriter } from "./index_writer.ts";

/** Entries that are looked at between two rests. */
const stride = 200;

/**
 * A file that has changed so short a time ago, in milliseconds, may change again without another
 * time: the system's clock of files ticks every few milliseconds.
 */
const racyMs = 100;

/** The dependencies of a walk. */
export interface WalkOptions {
  /** The server's own: all but what is reserved, the trash and temporary files. */
  access: Access;
  writer: IndexWriter;
  reading: ReadingOptions;
  /** Called between steps; the walk goes on when it resolves. */
  rest(): Promise<void>;
  /** Takes a file that is to be looked at again in a moment. */
  again(path: EntryPath): void;
  /** Whether there is no room for another file. */
  isFull(): boolean;
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
    const entry = this.#look(path);
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
    if (!entry.isFile || !this.#isWanted(entry.name, entry.info.size)) return writer.drop(own);
    const known = writer.knownAt(own);
    if (!known || !isSameVersion(known.version, versionOf(entry.info))) {
      await this.#file(own, false);
    }
  }

  /** @returns the folders in it, to be walked next */
  async #folder(folder: SearchFolder): Promise<SearchFolder[]> {
    const { access, writer, rest } = this.#options;
    const { path } = folder;
    const { hits, branches } = pick(folder, () => true);
    const pathOf = childrenOf(path);
    const known = writer.known(path);
    const changed: EntryPath[] = [];
    const files = hits.filter(({ kind, name }) => kind === "file" && this.#mayHaveText(name));
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
      await this.#file(file, true);
      await rest();
    }
    return branches.filter(({ real }) => !mayHang(real, access.spec.root));
  }

  /** @param isWalking whether a file that may change again is looked at once more in a moment */
  async #file(path: EntryPath, isWalking: boolean): Promise<void> {
    const { access, writer, reading, again, isFull } = this.#options;
    if (isFull()) return writer.drop(path);
    try {
      const { version, text } = await readText(access.read(path), reading);
      // Such a version is never taken for the present one.
      const isSure = !isRacy(version);
      writer.put(path, isSure ? version : { ...version, changed: -1 }, text);
      if (!isSure && isWalking) again(path);
    } catch (error) {
      // Gone, unreadable, or no file by now.
      if (!(error instanceof DomainError)) throw error;
      writer.drop(path);
    }
  }

  #look(path: EntryPath) {
    try {
      return this.#options.access.stat(path);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  #isWanted(name: string, size: number): boolean {
    return size > 0 && this.#mayHaveText(name);
  }

  #mayHaveText(name: string): boolean {
    return mayHaveText(name, this.#options.reading.readPdf !== null);
  }
}

function isRacy({ changed }: Version): boolean {
  const age = Date.now() - changed;
  return age >= 0 && age < racyMs;
}
