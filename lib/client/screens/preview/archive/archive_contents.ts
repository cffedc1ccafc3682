import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { SortBy } from "../../../../shared/schemas/choices/choices.ts";
import type { Sorting } from "../../../../shared/schemas/view.ts";
import { type EntryPath, parentOf, ROOT } from "../../../../shared/path.ts";
import type { Failure, Result } from "../../../../shared/result.ts";
import type {
  ArchiveEntry,
  ArchiveFolder,
  ArchiveReading,
} from "../../../../shared/schemas/archive.ts";
import type { Calls } from "../../../base/api/calls.ts";

/** Rows that are read at a time. */
const ROWS = 500;

/** The state of an archive. */
export type ArchiveState =
  | { is: "reading"; progress: ArchiveReading["reading"] | null }
  | { is: "ready" }
  | { is: "failed"; why: Failure };

/** The open folder of an archive: its rows so far, their order, and which are selected. */
export class ArchiveContents {
  readonly #api: Pick<ArchiveApi, "list">;
  readonly #archive: EntryPath;
  readonly #state = signal<ArchiveState>({ is: "reading", progress: null });
  readonly #folder = signal<Omit<ArchiveFolder, "items"> | null>(null);
  readonly #rows = signal<readonly ArchiveEntry[]>([]);
  readonly #selected = signal<ReadonlySet<string>>(new Set());
  readonly #opened = signal<ArchiveEntry | null>(null);
  #sorting: Sorting | null = null;
  #reading = new AbortController();

  /** Whether there is something to show. */
  readonly state: ReadonlySignal<ArchiveState> = this.#state;
  /** The folder; null until it is read. */
  readonly folder: ReadonlySignal<Omit<ArchiveFolder, "items"> | null> = this.#folder;
  /** The rows that were read so far. */
  readonly rows: ReadonlySignal<readonly ArchiveEntry[]> = this.#rows;
  /** The paths of the selected entries. */
  readonly selected: ReadonlySignal<ReadonlySet<string>> = this.#selected;
  /** The file that is shown in place of its folder. */
  readonly opened: ReadonlySignal<ArchiveEntry | null> = this.#opened;

  constructor(api: Pick<ArchiveApi, "list">, archive: EntryPath) {
    this.#api = api;
    this.#archive = archive;
  }

  /** Shows a folder of the archive, from its first row, with nothing selected. */
  async open(inside: EntryPath): Promise<void> {
    this.#reading.abort();
    const { signal } = this.#reading = new AbortController();
    if (!this.#folder.peek()) this.#state.value = { is: "reading", progress: null };
    const answer = await this.#read(inside, 0, signal);
    if (!answer) return;
    batch(() => {
      const { items, ...folder } = answer;
      if (folder.path !== this.#folder.peek()?.path) this.#selected.value = new Set();
      this.#folder.value = folder;
      this.#rows.value = items;
      this.#opened.value = null;
      this.#state.value = { is: "ready" };
    });
  }

  /** Shows the next rows. */
  async more(): Promise<void> {
    const folder = this.#folder.peek();
    const rows = this.#rows.peek();
    if (!folder || rows.length >= folder.numDirs + folder.numFiles) return;
    const answer = await this.#read(folder.path as EntryPath, rows.length, this.#reading.signal);
    // Meanwhile the same rows may have come, or those of another folder.
    if (answer && this.#rows.peek() === rows) this.#rows.value = [...rows, ...answer.items];
  }

  /** Goes to the folder above, or from a file to its folder. @returns false at the top */
  up(): boolean {
    const inside = (this.#folder.peek()?.path ?? ROOT) as EntryPath;
    if (this.#opened.peek()) this.#opened.value = null;
    else if (inside === ROOT) return false;
    else void this.open(parentOf(inside));
    return true;
  }

  /** Shows a file in place of its folder. */
  show(entry: ArchiveEntry): void {
    this.#opened.value = entry;
  }

  /** Sorts by a column; by the present column again, in reverse. */
  async sortBy(by: SortBy): Promise<void> {
    const folder = this.#folder.peek();
    if (!folder) return;
    const { by: present, asc } = folder.sorting;
    this.#sorting = { by, asc: present === by ? !asc : true };
    await this.open(folder.path as EntryPath);
  }

  /** Selects an entry, or takes it out of the selection. */
  toggle({ path }: ArchiveEntry): void {
    const selected = new Set(this.#selected.peek());
    if (!selected.delete(path)) selected.add(path);
    this.#selected.value = selected;
  }

  /** Selects all rows so far, or none when all are selected. */
  toggleAll(): void {
    const rows = this.#rows.peek();
    const isAll = this.#selected.peek().size >= rows.length;
    this.#selected.value = new Set(isAll ? [] : rows.map(({ path }) => path));
  }

  /** Gives up what is being read; the server then gives up reading the archive, too. */
  close(): void {
    this.#reading.abort();
  }

  /** Reads rows; while the archive itself is being read, shows how far that is. */
  async #read(
    inside: EntryPath,
    offset: number,
    signal: AbortSignal,
  ): Promise<ArchiveFolder | null> {
    const window = { inside, offset, limit: ROWS, sorting: this.#sorting };
    for (;;) {
      const answer = await this.#api.list(this.#archive, window, signal);
      if (signal.aborted) return null;
      if (!answer.ok) {
        this.#state.value = { is: "failed", why: answer };
        return null;
      }
      if ("items" in answer.value) return answer.value;
      this.#state.value = { is: "reading", progress: answer.value.reading };
    }
  }
}

/** The rows of a folder in an archive to read. */
export interface ArchiveWindow {
  /** The folder in the archive. */
  inside: EntryPath;
  offset: number;
  limit: number;
  sorting: Sorting | null;
}

/** Lets an answer wait a little, before it tells how far the archive has been read. */
const prefer = "respond-async, wait=1";

/** The client of the calls that look into archives. */
export class ArchiveApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Some rows of a folder, or how far the archive has been read. */
  list(
    archive: EntryPath,
    { inside, offset, limit, sorting }: ArchiveWindow,
    signal: AbortSignal,
  ): Promise<Result<ArchiveFolder | ArchiveReading>> {
    const order = sorting &&
      { sort: sorting.by, order: sorting.asc ? "asc" as const : "desc" as const };
    const query = { inside, offset, limit, ...order };
    return this.#calls.json("GET /api/archive/{path}", {
      params: { path: archive },
      query,
      signal,
      prefer,
    });
  }

  /** The content of a file in an archive. */
  content(
    archive: EntryPath,
    entry: string,
    signal?: AbortSignal,
  ): Promise<Result<Response>> {
    const call = { query: { entry }, signal, accept: "*/*" };
    return this.#calls.call("GET /api/archive/{path}", { params: { path: archive }, ...call });
  }

  /** The address of a file in an archive, to save it or to show it in the browser's own viewer. */
  address(archive: EntryPath, entry: string, options: { inline?: true } = {}): string {
    return this.#calls.addressOf("GET /api/archive/{path}", {
      params: { path: archive },
      query: { entry, ...options },
    });
  }
}
