import { type ReadonlySignal, signal } from "@preact/signals";
import type { Grouping, Resource, SortBy, Sorting } from "../../../shared/api_types.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Result } from "../../../shared/result.ts";
import type { Api } from "../../base/api/api.ts";
import type { Span } from "../../base/files/rows.ts";

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
    return this.chosen = { ...now, ...change };
  }

  /** The sorting by a column; by the present one again, in reverse. */
  sortingBy(by: SortBy): Sorting {
    const { by: present, asc } = this.#sorting.peek();
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
    return this.#api.resource(path, { ...window, ...this.chosen, view: true });
  }

  /** Reads rows in the order and with the filter of now, whatever is chosen later. */
  freeze(path: EntryPath): ReadRows {
    const filter = this.filter.peek() ?? "";
    const { order } = this;
    return ({ from, to }) =>
      this.#api.resource(path, { offset: from, limit: to - from, filter, ...order });
  }
}
