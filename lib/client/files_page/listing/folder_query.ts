import { type ReadonlySignal, signal } from "@preact/signals";
import type { Grouping, SortBy } from "../../../shared/schemas/choices/choices.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Failure, Result } from "../../../shared/result.ts";
import type { Api } from "../../base/api/api.ts";
import { CHUNK, type Rows, type Span } from "../../base/files/rows.ts";

/** How the entries of a folder are sorted and grouped. */
export interface Order {
  sorting: Sorting;
  groupBy: Grouping;
}

const BY_NAME: Sorting = { by: "name", asc: true };

/** Reads some rows of a folder. */
type ReadRows = (span: Span) => Promise<Result<Resource>>;

/** How the open folder is read: in which order, and only the names that a filter finds. */
export class FolderQuery {
  readonly #api: Pick<Api, "resource">;
  readonly #sorting = signal<Sorting>(BY_NAME);
  /** The order of the last answer; undefined before there was one. */
  #known: Order | undefined;

  /** The order that the user chose here; undefined leaves it to the server. */
  chosen: Order | undefined;
  /** Words that the names of the rows have; null without a filter. */
  readonly filter = signal<string | null>(null);
  /** The order of the rows. */
  readonly sorting: ReadonlySignal<Sorting> = this.#sorting;

  /** @param api the client of the server's calls */
  constructor(api: Pick<Api, "resource">) {
    this.#api = api;
  }

  /** The order of the last folder that was shown; empty before there was one. */
  get order(): Partial<Order> {
    return this.#known ?? {};
  }

  /** Chooses an order, for the reads that follow. */
  choose(change: Partial<Order>): Order {
    const now = { sorting: this.#sorting.peek(), groupBy: "none" as const, ...this.#known };
    return this.chosen = { ...now, ...this.chosen, ...change };
  }

  /** The sorting by a column; by the present one again, in reverse. */
  sortingBy(by: SortBy): Sorting {
    const { by: present, asc } = this.chosen?.sorting ?? this.#sorting.peek();
    return { by, asc: present === by ? !asc : true };
  }

  /** Takes over the order of an answer that is shown. */
  follow({ sorting, groupBy = "none" }: Resource): void {
    if (!sorting) return;
    this.#known = this.chosen ?? { sorting, groupBy };
    this.#sorting.value = this.#known.sorting;
  }

  /** @param around the name of an entry that the rows are to hold, in place of the span */
  read(
    path: EntryPath,
    { from, to }: Span,
    signal?: AbortSignal,
    around?: string,
  ): Promise<Result<Resource>> {
    const filter = this.filter.peek() || undefined;
    const window = { offset: from, limit: to - from, around, filter, signal };
    return this.#api.resource(path, { ...window, ...this.chosen, view: true, sizes: true });
  }

  /** Reads rows in the order and with the filter of now, whatever is chosen later. */
  freeze(path: EntryPath): ReadRows {
    const filter = this.filter.peek() ?? "";
    const { order } = this;
    return ({ from, to }) =>
      this.#api.resource(path, { offset: from, limit: to - from, filter, ...order, sizes: true });
  }
}

/** Debounce of requests for rows, in milliseconds, so that fast scrolling sends none. */
const REST_MS = 40;

/** The delay before visible rows are requested again after a failure, in milliseconds. */
const RETRY_MS = 1000;

/** The most rows in one request. */
const MAX_WINDOW = 200;

interface Options {
  read(span: Span, signal: AbortSignal): Promise<Result<Resource>>;
  take(span: Span, resource: Resource): void;
  fail(why: Failure): void;
  /** Requests the rows in view again, a while after a failure. */
  again(): void;
}

/** Reads the windows of a folder that are in view; aborts those that no longer are. */
export class WindowReader {
  readonly #options: Options;
  readonly #flying = new Map<Span, AbortController>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** @param options how to read a window, and what to do with it */
  constructor(options: Options) {
    this.#options = options;
  }

  /** Requests the rows of a view, with a chunk more on either side, debounced. */
  want(rows: Rows, view: Span): void {
    clearTimeout(this.#timer);
    const wide = { from: view.from - CHUNK, to: view.to + CHUNK };
    if (rows.missing(view).length === 0) return;
    this.#timer = setTimeout(() => this.#readMissing(rows, wide), REST_MS);
  }

  /** Aborts everything. */
  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    for (const controller of this.#flying.values()) controller.abort();
    this.#flying.clear();
  }

  #readMissing(rows: Rows, view: Span): void {
    for (const [span, controller] of this.#flying) {
      if (span.to > view.from && span.from < view.to) continue;
      controller.abort();
      this.#flying.delete(span);
    }
    const awaited = [...this.#flying.keys()];
    for (const span of rows.missing(view).flatMap((missing) => pieces(missing, awaited))) {
      void this.#readWindow(span);
    }
  }

  async #readWindow(span: Span): Promise<void> {
    const controller = new AbortController();
    this.#flying.set(span, controller);
    const answer = await this.#options.read(span, controller.signal);
    if (controller.signal.aborted) return;
    this.#flying.delete(span);
    if (answer.ok) this.#options.take(span, answer.value);
    else this.#fail(answer);
  }

  #fail(why: Failure): void {
    this.#options.fail(why);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.#options.again, RETRY_MS);
  }
}

/** The chunks of a span that are not being read yet, merged to windows. */
function pieces(missing: Span, awaited: readonly Span[]): Span[] {
  const windows: Span[] = [];
  for (let from = missing.from; from < missing.to; from += CHUNK) {
    if (awaited.some((span) => span.from <= from && from < span.to)) continue;
    const last = windows.at(-1);
    if (last?.to === from && from - last.from < MAX_WINDOW) last.to += CHUNK;
    else windows.push({ from, to: from + CHUNK });
  }
  return windows;
}
