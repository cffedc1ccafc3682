import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Entry, Resource } from "../../../shared/schemas/entry.ts";
import type { Api } from "../../base/api/api.ts";
import type { Order } from "../../files_page/listing/folder_query.ts";
import type { Listing } from "../../files_page/listing/listing.ts";
import { CHUNK, Rows, type Span } from "../../base/files/rows.ts";
import { type EntryType, mediaTypes } from "../../../shared/schemas/choices/choices.ts";

/** The previous and the next file of a folder that have a preview. */
export interface Neighbours {
  previous: Entry | null;
  next: Entry | null;
}

/** The number of entries per request, a multiple of the chunk of rows. */
const WINDOW = 4 * CHUNK;

/** The number of entries per request while the rest of the folder is counted. */
const LARGE_WINDOW = 20 * CHUNK;

/** Most entries searched for a neighbour; beyond that there is none. */
const MAX_SEARCHED = 20 * WINDOW;

/** Larger folders are not read whole, so that places in them are not counted. */
const MAX_COUNTED = 30_000;

const NONE: Neighbours = { previous: null, next: null };

/**
 * Knows the neighbours of the open file, in the order of the listing. The folder's entries around
 * the file are read first, and further ones as the user goes on or looks along the strip.
 */
export class NeighbourFinder {
  readonly #api: Pick<Api, "resource">;
  readonly #order: () => Partial<Order>;
  readonly #placeOf: Listing["placeOf"];
  readonly #now = signal(NONE);
  readonly #strip = signal(MediaStrip.none);
  #folder: EntryPath | null = null;
  #rows = Rows.none;
  /** Folders come first: none of them is a neighbour. */
  #firstFile = 0;
  #reading = new AbortController();
  /** Of the folder, while the signal of {@linkcode NeighbourFinder.follow} is of one file. */
  #staying = new AbortController();
  #isCounting = false;
  #isOutdated = false;

  /** The neighbours; null while unknown. */
  readonly now: ReadonlySignal<Neighbours> = this.#now;

  /** The files of the folder that can be shown. */
  readonly strip: ReadonlySignal<MediaStrip> = this.#strip;

  /**
   * @param options.order how the folder is shown; what is left out is as the user sees the folder
   * @param options.placeOf the list that a file is in, and its name there; its folder by default
   */
  constructor(options: {
    api: Pick<Api, "resource">;
    order: () => Partial<Order>;
    placeOf?: Listing["placeOf"];
  }) {
    this.#api = options.api;
    this.#placeOf = options.placeOf ?? ((at) => ({ folder: parentOf(at), name: nameOf(at) }));
    this.#order = options.order;
  }

  /** Sets the open file. */
  async follow(file: EntryPath): Promise<void> {
    this.#reading.abort();
    const { signal } = this.#reading = new AbortController();
    const { folder, name } = this.#placeOf(file);
    const isElsewhere = folder !== this.#folder || this.#rows.indexOf(name) === -1;
    if (isElsewhere || this.#isOutdated) {
      if (isElsewhere) this.#now.value = NONE;
      if (!await this.#start(folder, name, signal)) return;
    }
    const index = this.#rows.indexOf(name);
    if (index === -1) return;
    this.#now.value = { previous: this.#near(index, -1), next: this.#near(index, 1) };
    const next = await this.#find(index, 1, signal);
    const previous = await this.#find(index, -1, signal);
    if (!signal.aborted) this.#now.value = { previous, next };
  }

  /**
   * Reads the rest of the folder, so that places are exact. Does nothing for a very large folder,
   * nor while it is under way.
   */
  async count(): Promise<void> {
    const { signal } = this.#staying;
    if (this.#isCounting || this.#rows.total - this.#firstFile > MAX_COUNTED) return;
    this.#isCounting = true;
    for (let span = this.#missing(); span && !signal.aborted; span = this.#missing()) {
      if (!await this.#readSpan(span, signal)) break;
    }
    if (!signal.aborted) this.#isCounting = false;
  }

  /** Loads the files at some places of the strip, `to` exclusive. */
  async want(from: number, to: number): Promise<void> {
    const strip = this.#strip.peek();
    const last = Math.min(to, strip.length);
    for (let place = from; place < last; place++) {
      const index = strip.rowOf(place);
      if (index === -1 || this.#rows.at(index)) continue;
      await this.#read(index, this.#staying.signal);
      return;
    }
  }

  /**
   * Finds a file of some types.
   *
   * @param after the name of the file after which the search begins; null for the first of all
   */
  async nextOf(types: ReadonlySet<EntryType>, after: string | null): Promise<Entry | null> {
    const index = after === null ? this.#firstFile - 1 : this.#rows.indexOf(after);
    if (after !== null && index === -1) return null;
    return await this.#find(index, 1, this.#staying.signal, types);
  }

  /** Reads the folder again when a file is followed next; until then what is known stays. */
  outdated(): void {
    this.#isOutdated = true;
  }

  /** Drops the loaded entries: the folder has changed. */
  forget(): void {
    this.#reading.abort();
    this.#leave();
    this.#rows = Rows.none;
    this.#strip.value = MediaStrip.none;
    this.#now.value = NONE;
  }

  #leave(): void {
    this.#staying.abort();
    this.#staying = new AbortController();
    this.#isCounting = false;
    this.#folder = null;
  }

  async #start(folder: EntryPath, name: string, signal: AbortSignal): Promise<boolean> {
    this.#leave();
    const window = { offset: 0, limit: WINDOW, around: name, ...this.#order(), view: true, signal };
    const answer = await this.#api.resource(folder, window);
    if (signal.aborted || !answer.ok) return false;
    const { items = [], numDirs = 0, numFiles = 0, offset = 0 } = answer.value;
    this.#isOutdated = false;
    this.#firstFile = numDirs;
    this.#folder = folder;
    this.#take(new Rows(numDirs + numFiles), offset, items);
    return true;
  }

  #take(rows: Rows, offset: number, items: readonly Entry[]): void {
    this.#rows = rows.with(offset, items);
    this.#strip.value = new MediaStrip(this.#rows, this.#firstFile);
  }

  /** The neighbour in a direction among the loaded entries. */
  #near(index: number, step: 1 | -1): Entry | null {
    for (let at = index + step; at >= this.#firstFile && at < this.#rows.total; at += step) {
      const entry = this.#rows.at(at);
      if (!entry || mediaTypes.has(entry.type)) return entry ?? null;
    }
    return null;
  }

  async #find(
    index: number,
    step: 1 | -1,
    signal: AbortSignal,
    types: ReadonlySet<EntryType> = mediaTypes,
  ): Promise<Entry | null> {
    const end = step > 0
      ? Math.min(this.#rows.total, index + MAX_SEARCHED)
      : Math.max(this.#firstFile, index - MAX_SEARCHED) - 1;
    for (let at = index + step; step > 0 ? at < end : at > end; at += step) {
      const entry = this.#rows.at(at) ?? await this.#read(at, signal);
      if (!entry) return null;
      if (types.has(entry.type)) return entry;
    }
    return null;
  }

  /** The first rows that are missing, as much as one request reads. */
  #missing(): Span | undefined {
    if (this.#folder === null) return undefined;
    const [span] = this.#rows.missing({ from: this.#firstFile, to: this.#rows.total });
    return span && { from: span.from, to: Math.min(span.to, span.from + LARGE_WINDOW) };
  }

  async #read(index: number, signal: AbortSignal): Promise<Entry | undefined> {
    const from = index - index % WINDOW;
    await this.#readSpan({ from, to: from + WINDOW }, signal);
    return this.#rows.at(index);
  }

  async #readSpan({ from, to }: Span, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || this.#folder === null) return false;
    const window = { offset: from, limit: to - from, ...this.#order(), view: true, signal };
    const answer = await this.#api.resource(this.#folder, window);
    if (signal.aborted || !answer.ok || !this.#isSame(answer.value)) return false;
    const items = answer.value.items ?? [];
    this.#take(this.#rows, from, items);
    return items.length > 0;
  }

  /** Whether the folder still has as many entries; if not, these rows are at other places. */
  #isSame({ numDirs = 0, numFiles = 0 }: Resource): boolean {
    return numDirs === this.#firstFile && numDirs + numFiles === this.#rows.total;
  }
}

/**
 * The files of a folder that can be shown, in its order. A row that is not loaded counts as one
 * until it is known better, so that the strip has its length at once.
 */
export class MediaStrip {
  /** The strip of a folder about which nothing is known. */
  static readonly none = new MediaStrip();

  readonly #rows: Rows | null;
  /** The indexes of the rows, in order. */
  readonly #places: readonly number[];
  /** Whether every row is loaded, so that places and length are exact. */
  readonly isWhole: boolean;

  /**
   * @param rows of the folder
   * @param firstFile the index of the first row that is no folder
   */
  constructor(rows: Rows | null = null, firstFile = 0) {
    const places: number[] = [];
    let isWhole = true;
    for (let index = firstFile; index < (rows?.total ?? 0); index++) {
      const entry = rows?.at(index);
      if (!entry || mediaTypes.has(entry.type)) places.push(index);
      isWhole &&= entry !== undefined;
    }
    this.#rows = rows;
    this.#places = places;
    this.isWhole = isWhole && rows !== null;
  }

  /** The number of files, with rows that are not loaded. */
  get length(): number {
    return this.#places.length;
  }

  /** A file by its place, from 0; undefined while its row is not loaded. */
  at(place: number): Entry | undefined {
    const index = this.#places[place];
    return index === undefined ? undefined : this.#rows?.at(index);
  }

  /** The place of a file by its name, from 0; -1 for one that is not in the strip. */
  placeOf(name: string): number {
    const index = this.#rows?.indexOf(name) ?? -1;
    return index === -1 ? -1 : this.#find(index);
  }

  /** The index of the row at a place; -1 beyond the ends. */
  rowOf(place: number): number {
    return this.#places[place] ?? -1;
  }

  #find(index: number): number {
    let [from, to] = [0, this.#places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#places[middle] ?? 0) < index) from = middle + 1;
      else to = middle;
    }
    return this.#places[from] === index ? from : -1;
  }
}
