import { dirname } from "node:path";
import type { ContentIndexState } from "../../../shared/schemas/contents.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { type IndexFile, openForWriting, removeIndex, sizeOfIndex } from "./index_file.ts";
import { IndexWriter } from "./index_writer.ts";
import { isRebuildWanted, readState, unknownState, writeState } from "./state.ts";

/** The files of an index, at most. */
const maxFiles = 1_000_000;

/** Bytes that the index leaves free on its disk. */
const minFreeBytes = 64 * 2 ** 20;

/** Where an index is, and how large it may be. */
export interface KeptIndexOptions {
  /** The path of the index. */
  path: string;
  /** The bytes that the index may take. */
  maxBytes: number;
  /** Logs a sentence. */
  note(sentence: string): void;
}

/** The index that an indexer writes: its file, its limits, and the state that others read of it. */
export class KeptIndex {
  readonly #options: KeptIndexOptions;
  #index: IndexFile;
  #writer: IndexWriter;
  #state: ContentIndexState;
  #committedAt = performance.now();
  #dataVersion = 0;
  #isFull = false;

  /** @throws Error of SQLite when the index cannot be opened */
  constructor(options: KeptIndexOptions) {
    this.#options = options;
    this.#index = openForWriting(options.path, options.note);
    this.#writer = new IndexWriter(this.#index);
    this.#state = { ...unknownState, ...readState(this.#index) };
  }

  get writer(): IndexWriter {
    return this.#writer;
  }

  get state(): ContentIndexState {
    return this.#state;
  }

  /** Whether the file was replaced by another process. */
  get isReplaced(): boolean {
    return this.#index.isReplaced;
  }

  /** Whether any process wants the index to be rebuilt. */
  get isRebuildWanted(): boolean {
    return isRebuildWanted(this.#index);
  }

  /** The time since the last commit, in milliseconds. */
  get uncommittedMs(): number {
    return performance.now() - this.#committedAt;
  }

  /** Begins what the next {@link commit} ends. */
  begin(): void {
    this.#index.begin();
  }

  /** Commits, with the state after it. */
  commit(change: Partial<ContentIndexState> = {}): void {
    const { files, characters } = this.#writer;
    this.#isFull = this.#isAtLimit();
    const bytes = sizeOfIndex(this.#options.path);
    this.#state = { ...this.#state, ...change, files, characters, bytes };
    this.#index.begin();
    writeState(this.#index, this.#state);
    this.#index.commit();
    this.#committedAt = performance.now();
    this.#dataVersion = this.#index.dataVersion;
  }

  /** Takes down how many files a walk has seen, for the next {@link commit}. */
  recordSeen(seen: number): void {
    this.#state.seen = seen;
  }

  /** Whether nothing more is to be added. */
  get isFull(): boolean {
    return this.#isFull ||= this.#isAtLimit();
  }

  #isAtLimit(): boolean {
    const { bytes, files } = this.#writer;
    return bytes >= this.#options.maxBytes || files >= maxFiles;
  }

  /** @throws {NoSpace} when its disk is nearly full */
  async checkSpace(): Promise<void> {
    using folder = disk.folder(dirname(this.#options.path));
    const { total, used } = await folder.usage();
    if (total - used < minFreeBytes) throw new NoSpace();
  }

  /** Whether another process has replaced the index, or wants it to be rebuilt. */
  needsReopening(): boolean {
    if (this.#index.isReplaced) return true;
    const { dataVersion } = this.#index;
    if (dataVersion === this.#dataVersion) return false;
    this.#dataVersion = dataVersion;
    return isRebuildWanted(this.#index);
  }

  /** Opens what is there now. */
  reopen(): void {
    const { path, note } = this.#options;
    this.#close();
    this.#index = openForWriting(path, note);
    this.#writer = new IndexWriter(this.#index);
    this.#state = { ...unknownState, ...readState(this.#index) };
  }

  /** Removes the index, and opens an empty one. */
  startOver(): void {
    this.#close();
    removeIndex(this.#options.path);
    this.reopen();
  }

  /** After a fault: takes back what is not committed, and commits the state if there is room. */
  fail(state: ContentIndexState["state"]): void {
    this.#state = { ...this.#state, state };
    try {
      this.#index.rollBack();
      this.#writer.reset();
      this.commit();
    } catch {
      // Without room for that the former state stays.
    }
  }

  /** Closes it, with what was done since the last commit: work ends between files alone. */
  end(): void {
    try {
      this.commit();
    } catch {
      // The next walk does it again.
    }
    this.#close();
  }

  #close(): void {
    try {
      this.#index.rollBack();
      this.#index[Symbol.dispose]();
    } catch {
      // Closed already, or damaged.
    }
  }
}

/** Ends a walk, as the index's disk is nearly full. */
export class NoSpace extends Error {}
