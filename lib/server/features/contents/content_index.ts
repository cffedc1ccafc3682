import type { Access } from "../../core/access/access.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import type { ReaderHost } from "../../core/config/config.ts";
import { type Remote, remote } from "../../core/concurrency/remote.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import type { ContentIndexState } from "../../../shared/schemas/contents.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { channelOf, type TouchChannel } from "./channel.ts";
import { indexPath, sizeOfIndex } from "./index_file.ts";
import type { SpentCompanions } from "./index_walk.ts";
import type { IndexWork } from "./index_worker.ts";
import type { Question } from "./question.ts";
import { unknownState } from "./state.ts";

/** Interval at which the settings are read, as other processes may change them, in ms. */
const pollMs = 60_000;

/** The dependencies of content search. */
export interface ContentIndexOptions {
  cacheDir: string;
  spec: GateSpec;
  /** The present settings. */
  settings: () => Promise<Pick<Settings, "contents">>;
  /** Runs the program that reads PDF files; null where there is none. */
  readerHost: ReaderHost | null;
  /** Logs a sentence. */
  note(sentence: string): void;
  /** Whether this thread maintains the index: one of each process does. */
  isIndexer: boolean;
  /** Takes the files of macOS that a walk comes by, and that hold nothing of worth. */
  onSpent?(spent: SpentCompanions): Promise<void>;
}

/**
 * Search in the contents of files, by an index in the cache folder: one for all users, off unless
 * the settings have it on. A Worker keeps it, another one answers.
 */
export class ContentIndex {
  readonly #options: ContentIndexOptions;
  readonly #path: string;
  readonly #indexer: Remote<IndexWork>;
  readonly #asker: Remote<IndexWork>;
  readonly #channel: TouchChannel;
  #timer: ReturnType<typeof setInterval> | undefined;
  #keeping: { limits: string; stop: AbortController; ended: Promise<unknown> } | null = null;
  #updating: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: ContentIndexOptions) {
    this.#options = options;
    this.#path = indexPath(options.cacheDir);
    const script = new URL("./index_worker.ts", import.meta.url);
    const { note } = options;
    this.#indexer = remote<IndexWork>({ script, name: "content index", note });
    this.#asker = remote<IndexWork>({ script, name: "content search", note });
    // A thread that does not keep the index asks the one that does, see `follow()`.
    this.#channel = channelOf(this.#path, (place) => {
      if (place === ROOT && options.isIndexer) void this.follow();
    });
  }

  /** From now on follows the settings, if this thread maintains the index. */
  start(): void {
    if (!this.#options.isIndexer) return;
    this.#timer = setInterval(() => void this.follow(), pollMs);
    Deno.unrefTimer(this.#timer);
    void this.follow();
  }

  /**
   * Searches in the contents of the files below a folder.
   *
   * @returns results with snippets, the best first, one JSON object a line, in UTF-8
   * @throws {DomainError} `not_supported` while it is off, `forbidden`, `not_found`; and the
   * signal's reason
   */
  async search(
    access: Access,
    folder: EntryPath,
    question: Question,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const args = { path: this.#path, access, folder, question };
    return (await this.#asker.ask(args, { signal })).stream.read();
  }

  /**
   * Refuses a search in contents that is not possible.
   *
   * @throws {DomainError} `not_supported` while it is off, `forbidden` without the permission to
   * download
   */
  async check(access: Access, folder: EntryPath): Promise<void> {
    const action = `Cannot search in "${folder}"`;
    access.need(action, "download");
    if (await this.isOn()) return;
    throw new DomainError("not_supported", `${action}: content search is off`);
  }

  /** Whether the settings have it on. */
  async isOn(): Promise<boolean> {
    return (await this.#options.settings()).contents.enabled;
  }

  /** How far the index is. */
  async state(): Promise<ContentIndexState> {
    if (!await this.isOn()) return { ...unknownState, state: "off" };
    return await this.#asker.state({ path: this.#path });
  }

  /**
   * Has the index rebuilt, by whatever process keeps it. @throws {DomainError} `not_supported`
   */
  async rebuild(): Promise<void> {
    if (!await this.isOn()) {
      throw new DomainError("not_supported", "Cannot build the index: content search is off");
    }
    await this.#asker.rebuild({ path: this.#path });
    // Wakes the indexer; that of another process polls.
    this.#channel.post(ROOT);
    await this.follow();
  }

  /**
   * Takes entries that have come, changed or gone. @param paths as the one who changed them has
   * them
   */
  notifyChanged(access: Access, ...paths: EntryPath[]): void {
    // No index is maintained: the first walk finds the change.
    if (this.#options.isIndexer && this.#keeping === null) return;
    for (const path of new Set(paths)) this.#channel.post(access.ownPlaceAt(path));
  }

  /** Applies the settings: maintains the index, or removes it. */
  async follow(): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#options.isIndexer) return this.#channel.post(ROOT);
    // One update at a time; a call during one starts another after it.
    const before = this.#updating;
    const update = this.#updating = (async () => {
      await before;
      await this.#update();
    })();
    await update;
    if (this.#updating === update) this.#updating = null;
  }

  /** Ends the Workers. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#channel.close();
    this.#keeping?.stop.abort();
    this.#indexer.close();
    this.#asker.close();
  }

  async #update(): Promise<void> {
    try {
      const { contents } = await this.#options.settings();
      if (this.#isClosed) return;
      const limits = { maxFileBytes: contents.largestText, maxBytes: contents.largestIndex };
      const wanted = contents.enabled ? JSON.stringify(limits) : null;
      if (this.#keeping && this.#keeping.limits !== wanted) {
        this.#keeping.stop.abort();
        await this.#keeping.ended;
        this.#keeping = null;
      }
      if (this.#isClosed) return;
      if (wanted !== null) this.#keeping ??= this.#keep(limits, wanted);
      else if (sizeOfIndex(this.#path) > 0) {
        await this.#indexer.remove({ path: this.#path });
      }
    } catch (error) {
      if (!this.#isClosed) this.#options.note(`Content search: ${error}`);
    }
  }

  #keep(limits: { maxFileBytes: number; maxBytes: number }, wanted: string) {
    const { spec, readerHost, note, onSpent = () => {} } = this.#options;
    const stop = new AbortController();
    const args = { path: this.#path, spec, limits, readerHost };
    const options = { signal: stop.signal, awaitsEnd: true, onReport: onSpent };
    const ended = this.#indexer.keep(args, options)
      .catch((error) => {
        if (!this.#isClosed) note(`Content search: the index cannot be stored: ${error}`);
      })
      // Another process keeps it, or its Worker died: to be tried again at the next look.
      .finally(() => {
        if (this.#keeping?.stop === stop) this.#keeping = null;
      });
    return { limits: wanted, stop, ended };
  }
}
