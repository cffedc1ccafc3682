import type { Sorting } from "../../../../shared/api_types.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { Result } from "../../../../shared/result.ts";
import type { ArchiveFolder, ArchiveReading } from "../../../../shared/schemas/archive.ts";
import type { Calls } from "../../../base/api/calls.ts";

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
