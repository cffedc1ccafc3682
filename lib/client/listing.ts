import type { ReadonlySignal } from "@preact/signals";
import type { EntryPath } from "../access/path.ts";
import type { Resource, SortBy, Sorting } from "../api_types.ts";
import type { Cursor } from "./cursor.ts";
import type { Failure, Result } from "./result.ts";
import type { Rows } from "./rows.ts";
import type { Selection } from "./selection.ts";

/** `loading`: nothing to show yet; `failed`: see `failure`; `ready`: rows, or a file, or an empty folder. */
export type ListingStatus = "loading" | "ready" | "failed";

/** The folder (or file) that is shown. Rows beyond the first are read when they come into view. */
export declare class Listing {
  readonly path: ReadonlySignal<EntryPath>;
  /** The folder or file itself, without `items`; null while nothing is known. */
  readonly resource: ReadonlySignal<Resource | null>;
  readonly rows: ReadonlySignal<Rows>;
  readonly status: ReadonlySignal<ListingStatus>;
  readonly failure: ReadonlySignal<Failure | null>;
  readonly sorting: ReadonlySignal<Sorting>;
  /** Whether rows on screen are being read again (reload, another order). */
  readonly refreshing: ReadonlySignal<boolean>;
  readonly selection: Selection;
  readonly cursor: Cursor;
  /** Shows another folder or file, from its first row. */
  open(path: EntryPath): Promise<void>;
  /** Tells which entries are in view (`last` exclusive), so that missing ones are read. */
  ensure(first: number, last: number): void;
  /** Reads the folder again; selection and scrolling stay. */
  reload(): Promise<void>;
  /** Orders by a column; by the same column again, the other way round. */
  sortBy(by: SortBy): Promise<void>;
  /** The names of all selected entries; those not loaded are read first. */
  selectedNames(): Promise<Result<string[]>>;
}
