import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { Entry, EntryType, Sorting } from "../../shared/api_types.ts";
import type { Api } from "../api/api.ts";
import { CHUNK, Rows } from "../listing/rows.ts";

/** The previous and the next file of a folder that have a preview. */
export interface Neighbours {
  previous: Entry | null;
  next: Entry | null;
}

/** The number of entries per request, a multiple of the chunk of rows. */
const WINDOW = 4 * CHUNK;

/** Most entries searched for a neighbour; beyond that there is none. */
const MAX_SEARCHED = 20 * WINDOW;

const MEDIA: ReadonlySet<EntryType> = new Set<EntryType>(["image", "audio", "video", "pdf"]);

const NONE: Neighbours = { previous: null, next: null };

/**
 * Knows the neighbours of the open file, in the order of the listing. Only the folder's entries
 * around the file are read, and further ones as the user goes on.
 */
export class NeighbourFinder {
  readonly #api: Pick<Api, "resource">;
  readonly #sorting: () => Sorting | undefined;
  readonly #now = signal(NONE);
  #folder: EntryPath | null = null;
  #rows = Rows.none;
  /** Folders come first: none of them is a neighbour. */
  #firstFile = 0;
  #reading = new AbortController();

  /** The neighbours; null while unknown. */
  readonly now: ReadonlySignal<Neighbours> = this.#now;

  /**
   * @param options.sorting the order that the user chose for the folder; undefined leaves it to the
   * server
   */
  constructor(options: { api: Pick<Api, "resource">; sorting: () => Sorting | undefined }) {
    this.#api = options.api;
    this.#sorting = options.sorting;
  }

  /** Sets the open file. */
  async follow(file: EntryPath): Promise<void> {
    this.#reading.abort();
    const { signal } = this.#reading = new AbortController();
    const folder = parentOf(file);
    if (folder !== this.#folder || this.#rows.indexOf(nameOf(file)) === -1) {
      this.#now.value = NONE;
      if (!await this.#start(folder, nameOf(file), signal)) return;
    }
    const index = this.#rows.indexOf(nameOf(file));
    if (index === -1) return;
    this.#now.value = { previous: this.#near(index, -1), next: this.#near(index, 1) };
    const next = await this.#find(index, 1, signal);
    const previous = await this.#find(index, -1, signal);
    if (!signal.aborted) this.#now.value = { previous, next };
  }

  /** Drops the loaded entries: the folder has changed. */
  forget(): void {
    this.#reading.abort();
    this.#folder = null;
    this.#rows = Rows.none;
    this.#now.value = NONE;
  }

  async #start(folder: EntryPath, name: string, signal: AbortSignal): Promise<boolean> {
    this.#folder = null;
    const window = { offset: 0, limit: WINDOW, around: name, sorting: this.#sorting(), signal };
    const answer = await this.#api.resource(folder, window);
    if (signal.aborted || !answer.ok) return false;
    const { items = [], numDirs = 0, numFiles = 0, offset = 0 } = answer.value;
    this.#rows = new Rows(numDirs + numFiles).with(offset, items);
    this.#firstFile = numDirs;
    this.#folder = folder;
    return true;
  }

  /** The neighbour in a direction among the loaded entries. */
  #near(index: number, step: 1 | -1): Entry | null {
    for (let at = index + step; at >= this.#firstFile && at < this.#rows.total; at += step) {
      const entry = this.#rows.at(at);
      if (!entry || MEDIA.has(entry.type)) return entry ?? null;
    }
    return null;
  }

  async #find(index: number, step: 1 | -1, signal: AbortSignal): Promise<Entry | null> {
    const end = step > 0
      ? Math.min(this.#rows.total, index + MAX_SEARCHED)
      : Math.max(this.#firstFile, index - MAX_SEARCHED) - 1;
    for (let at = index + step; step > 0 ? at < end : at > end; at += step) {
      const entry = this.#rows.at(at) ?? await this.#read(at, signal);
      if (!entry) return null;
      if (MEDIA.has(entry.type)) return entry;
    }
    return null;
  }

  async #read(index: number, signal: AbortSignal): Promise<Entry | undefined> {
    if (signal.aborted || this.#folder === null) return undefined;
    const offset = index - index % WINDOW;
    const window = { offset, limit: WINDOW, sorting: this.#sorting(), signal };
    const answer = await this.#api.resource(this.#folder, window);
    if (signal.aborted || !answer.ok) return undefined;
    this.#rows = this.#rows.with(offset, answer.value.items ?? []);
    return this.#rows.at(index);
  }
}
