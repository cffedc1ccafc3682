import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, nameOf, parentOf, parsePath, ROOT } from "../../../shared/path.ts";
import type { Grouping, SortBy } from "../../../shared/schemas/choices/choices.ts";
import type { Entry, Group, Resource } from "../../../shared/schemas/entry.ts";
import type { FolderSize } from "../../../shared/schemas/size.ts";
import type { Ratios } from "../../../shared/schemas/media.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import { Cursor, readSelectedNames, Selection } from "../selection/selection.ts";
import { FolderQuery, type Order, WindowReader } from "./folder_query.ts";
import {
  CHUNK,
  knownFile,
  Rows,
  sameGroups,
  type Span,
  stampOf,
  wholeChunks,
} from "../../base/files/rows.ts";
import type { FilesPageData } from "../../../shared/page_data.ts";
import { type Failure, type Result, success } from "../../../shared/result.ts";
import type { Api } from "../../base/api/api.ts";

/** Reads what a listing shows: folders, or entries of many of them in one list. */
export interface ListSource extends Pick<Api, "resource"> {
  /** Present where all entries are in one list, at the root: their names are paths below it. */
  ratios?: (signal: AbortSignal) => Promise<Result<Ratios>>;
}

/** The dependencies of a listing. */
export interface ListingOptions {
  api: ListSource;
  /** The data that the server rendered the page with. */
  initial?: FilesPageData;
  /** Called when the user has chosen an order. */
  onOrdered?: (change: Partial<Order>) => void;
}

/** `loading`: nothing to show yet; `failed`: see `failure`; `ready`: entries, none, or a file. */
export type ListingStatus = "loading" | "ready" | "failed";

/** The former folder stays on screen if the next one loads within this time. */
const SWAP_MS = 150;

/** The pause between two reads of a folder whose pictures are still being read, in milliseconds. */
const UNREAD_MS = 500;

/** The most rows that one reload reads. */
const MAX_RELOAD = 500;

/**
 * The open folder (or file). Only the first rows are read at once; further ones when they come into
 * view, and requests for rows that have left the view are aborted. Every answer has the folder's
 * fingerprint; when it changes between two, rows of the older state are dropped.
 */
export class Listing {
  readonly #path = signal<EntryPath>(ROOT);
  readonly #resource = signal<Resource | null>(null);
  readonly #rows = signal(Rows.none);
  readonly #status = signal<ListingStatus>("loading");
  readonly #failure = signal<Failure | null>(null);
  readonly #refreshing = signal(false);
  readonly #opening = signal<EntryPath | null>(null);
  readonly #query: FolderQuery;
  readonly #onOrdered: ListingOptions["onOrdered"];
  readonly #windows: WindowReader;
  #view: Span = { from: 0, to: CHUNK };
  #expected: Entry | undefined;
  /** The order that is being read for the first time, the one before, and what is changed. */
  #ordering: { before: Order | undefined; chosen: Order; change: Partial<Order> } | undefined;
  #unread: ReturnType<typeof setTimeout> | undefined;
  #reading = new AbortController();

  /** Reads the entries. */
  readonly source: ListSource;

  /** The selected entries. */
  readonly selection: Selection;
  /** The keyboard cursor. */
  readonly cursor: Cursor;

  /** The path of the open folder or file. It changes together with the rows. */
  readonly path: ReadonlySignal<EntryPath> = this.#path;
  /** The folder or file itself, without `items`; null until loaded. */
  readonly resource: ReadonlySignal<Resource | null> = this.#resource;
  /** The loaded entries. */
  readonly rows: ReadonlySignal<Rows> = this.#rows;
  /** Whether there is something to show. */
  readonly status: ReadonlySignal<ListingStatus> = this.#status;
  /** The last failure; null after a success. Rows stay when a later read fails. */
  readonly failure: ReadonlySignal<Failure | null> = this.#failure;
  /** The order of the rows. */
  readonly sorting: ReadonlySignal<Sorting>;
  /** Whether rows on screen are being read again. */
  readonly refreshing: ReadonlySignal<boolean> = this.#refreshing;
  /**
   * The folder or file that is being opened, while the former one may still be on screen; null once
   * it has been read.
   */
  readonly opening: ReadonlySignal<EntryPath | null> = this.#opening;
  /** The groups of the rows; none where they are not grouped. */
  readonly groups: ReadonlySignal<readonly Group[]> = computed(
    () => this.#resource.value?.groups ?? [],
  );
  /** Words that the names of the rows have; null without a filter. */
  readonly filter: ReadonlySignal<string | null>;

  /** The sizes of folders with everything below them, by name, as far as they are known. */
  readonly sizes = signal<ReadonlyMap<string, FolderSize>>(new Map());

  /** Counts the changes that were told of beside the open file. */
  readonly news = signal(0);

  /** @param options the dependencies of the listing */
  constructor(options: ListingOptions) {
    this.source = options.api;
    this.#query = new FolderQuery(options.api);
    this.sorting = this.#query.sorting;
    this.filter = this.#query.filter;
    this.#onOrdered = options.onOrdered;
    this.#windows = new WindowReader({
      read: (span, signal) => this.#query.read(this.#path.peek(), span, signal),
      take: (span, resource) => this.#takeWindow(span, resource),
      fail: (why) => this.#fail(why),
      again: () => this.#ensureView(),
    });
    this.selection = new Selection(this.#rows);
    this.cursor = new Cursor(this.#rows, this.selection);
    if (options.initial) this.#start(options.initial);
  }

  /**
   * The order that was chosen for the open folder, or that of the last one that was shown; empty
   * before there was one.
   */
  get order(): Partial<Order> {
    return this.#query.chosen ?? this.#query.order;
  }

  /** Whether all entries are in one list, whatever their folders. */
  get isFlat(): boolean {
    return this.source.ratios !== undefined;
  }

  /** The list that an entry is in, and its name there. */
  placeOf(path: EntryPath): { folder: EntryPath; name: string } {
    return this.isFlat
      ? { folder: ROOT, name: path.slice(1) }
      : { folder: parentOf(path), name: nameOf(path) };
  }

  /** Registers a file that may be opened next, so that no request is needed. */
  expect(entry: Entry): void {
    this.#expected = entry;
  }

  /**
   * Shows another folder or file, from its first row, with nothing selected.
   *
   * @param at the name of an entry of the folder to start at, selected
   */
  async open(path: EntryPath, at?: string): Promise<void> {
    const { signal } = this.#interrupt(path);
    if (path !== this.#path.peek()) this.#query.chosen = undefined;
    const { folder, name } = this.placeOf(path);
    const rows = this.#rows.peek();
    const beside = folder === this.#path.peek() ? rows.at(rows.indexOf(name)) : undefined;
    const known = knownFile(path, beside, this.#expected);
    if (known) return this.#arrive(path, success(known));
    const timer = setTimeout(() => signal.aborted || this.#blank(path), SWAP_MS);
    this.#query.filter.value = null;
    const answer = await this.#query.read(path, { from: 0, to: CHUNK }, signal, at);
    clearTimeout(timer);
    if (!signal.aborted) this.#arrive(path, answer, at);
  }

  /** Reports the entries in view (`to` exclusive), so that missing ones are loaded. */
  ensure(from: number, to: number): void {
    this.#view = { from, to };
    if (this.#status.peek() !== "ready" || this.#refreshing.peek()) return;
    this.#windows.want(this.#rows.peek(), this.#view);
  }

  /** Reloads the rows in view; selection and scroll position stay. Requests under way go on. */
  async reload(): Promise<void> {
    if (this.#opening.peek() === null) await this.#readAgain(this.#view);
  }

  /** Sorts by a column; by the present column again, in reverse. */
  sortBy(by: SortBy): Promise<void> {
    return this.sort(this.#query.sortingBy(by));
  }

  /** Changes how the entries are sorted, and reads from the first one on. */
  sort(change: Partial<Sorting>): Promise<void> {
    const { sorting = this.sorting.peek() } = this.order;
    return this.reorder({ sorting: { ...sorting, ...change } });
  }

  /** Groups the entries, and reads from the first one on. */
  group(groupBy: Grouping): Promise<void> {
    return this.reorder({ groupBy });
  }

  /** Sorts and groups the entries, and reads from the first one on; after former changes, if any. */
  async reorder(change: Partial<Order>): Promise<void> {
    // The folder on screen is being left.
    if (this.#opening.peek() !== null) return;
    const { chosen } = this.#query;
    const former = chosen && this.#ordering?.chosen === chosen ? this.#ordering : undefined;
    const before = former ? former.before : chosen;
    const now = this.#query.choose(change);
    const all = { ...former?.change, ...change };
    this.#ordering = { before, chosen: now, change: all };
    await this.#readAgain(this.#view = { from: 0, to: CHUNK });
    if (this.#query.chosen !== now) return;
    this.#ordering = undefined;
    if (this.#failure.peek()) this.#query.chosen = before;
    else this.#onOrdered?.(all);
  }

  /** Lists only entries with all the words in their names, with nothing selected; null lists all. */
  async narrow(filter: string | null): Promise<void> {
    if (this.#opening.peek() !== null) return;
    const isSame = (this.filter.peek() ?? "") === (filter ?? "");
    this.#query.filter.value = filter;
    if (isSame) return;
    this.selection.clear();
    await this.#readAgain(this.#view = { from: 0, to: CHUNK });
  }

  /** The names of all currently selected entries, see {@linkcode readSelectedNames}. */
  holdSelected(): () => Promise<Result<string[]>> {
    const stamp = stampOf(this.#resource.peek());
    const read = this.#query.freeze(this.#path.peek());
    const parts = this.selection.snapshot();
    return () => readSelectedNames(parts, read, (answer) => stampOf(answer) === stamp);
  }

  /** Every entry of the folder by its name, if all of them are loaded. */
  allByName(): ReadonlyMap<string, Entry> | null {
    if (this.filter.peek()) return null;
    return this.#status.peek() === "ready" ? this.#rows.peek().allByName() : null;
  }

  #ensureView(): void {
    this.ensure(this.#view.from, this.#view.to);
  }

  #start({ path, resource, failure }: FilesPageData): void {
    this.#path.value = parsePath(path).path;
    if (resource) this.#show(resource, 0);
    else if (failure) this.#fail(failure);
  }

  /** Aborts all reads, before another one starts: that of another place, or of this one again. */
  #interrupt(opening: EntryPath | null = null): AbortController {
    this.#reading.abort();
    this.#windows.stop();
    this.#opening.value = opening;
    this.#reading = new AbortController();
    return this.#reading;
  }

  async #readAgain(view: Span): Promise<void> {
    if (this.#status.peek() !== "ready") return this.open(this.#path.peek());
    const { signal } = this.#interrupt();
    this.#refreshing.value = true;
    const span = wholeChunks(view, MAX_RELOAD);
    const answer = await this.#query.read(this.#path.peek(), span, signal);
    if (signal.aborted) return;
    batch(() => {
      this.#refreshing.value = false;
      if (answer.ok) this.#replace(answer.value, span.from);
      else this.#fail(answer);
    });
    this.#ensureView();
  }

  #arrive(path: EntryPath, answer: Result<Resource>, at?: string): void {
    batch(() => {
      this.#opening.value = null;
      this.#blank(path);
      if (!answer.ok) return this.#fail(answer);
      this.#show(answer.value, answer.value.offset ?? 0);
      const index = at === undefined ? -1 : this.#rows.peek().indexOf(at);
      if (index !== -1) this.selection.only(index);
      this.cursor.put(index);
    });
  }

  #blank(path: EntryPath): void {
    batch(() => {
      if (path !== this.#path.peek()) this.sizes.value = new Map();
      this.#path.value = path;
      this.#resource.value = null;
      this.#failure.value = null;
      this.#status.value = "loading";
      this.#refreshing.value = false;
      this.#rows.value = Rows.none;
      this.#view = { from: 0, to: CHUNK };
      this.selection.clear();
      this.selection.multiple.value = false;
      this.cursor.put(-1);
    });
  }

  #show(answer: Resource, offset: number): void {
    const { items, ...resource } = answer;
    const total = (resource.numDirs ?? 0) + (resource.numFiles ?? 0);
    this.#resource.value = resource;
    this.#query.follow(resource);
    this.#rows.value = new Rows(total).with(offset, items ?? []);
    this.#failure.value = null;
    this.#status.value = "ready";
    // While the server finds out when pictures were taken.
    clearTimeout(this.#unread);
    if (resource.unread) this.#unread = setTimeout(() => void this.reload(), UNREAD_MS);
  }

  /** Replaces the rows by reloaded ones; selection and cursor follow by name. */
  #replace(answer: Resource, offset: number): void {
    const name = this.#rows.peek().at(this.cursor.index.peek())?.name;
    const sameEntries = stampOf(answer) === stampOf(this.#resource.peek());
    const before = this.sorting.peek();
    this.#show(answer, offset);
    const { by, asc } = this.sorting.peek();
    const sameOrder = by === before.by && asc === before.asc;
    this.selection.follow({ sameEntries, sameOrder });
    const index = name === undefined ? -1 : this.#rows.peek().indexOf(name);
    this.cursor.put(index === -1 ? this.cursor.index.peek() : index);
  }

  #takeWindow(span: Span, answer: Resource): void {
    batch(() => {
      this.#failure.value = null;
      if (stampOf(answer) !== stampOf(this.#resource.peek())) {
        this.#replace(answer, span.from);
        return;
      }
      const { groups, items = [] } = answer;
      const resource = this.#resource.peek();
      if (resource && groups && !sameGroups(groups, resource.groups)) {
        this.#resource.value = { ...resource, groups };
      }
      this.#rows.value = this.#rows.peek().with(span.from, items);
      this.selection.materialize();
    });
    this.#ensureView();
  }

  /**
   * A folder that is gone or forbidden is cleared from the screen; other failures keep the rows.
   */
  #fail(why: Failure): void {
    batch(() => {
      if (why.status === 403 || why.status === 404) this.#blank(this.#path.peek());
      this.#failure.value = why;
      if (this.#status.peek() !== "ready") this.#status.value = "failed";
    });
  }
}
