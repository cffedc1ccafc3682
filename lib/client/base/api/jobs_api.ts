import type { EntryPath } from "../../../shared/path.ts";
import type { Result } from "../../../shared/result.ts";
import type { ArchiveFormat, ChecksumName } from "../../../shared/schemas/choices/choices.ts";
import type { AskedAction, JobInfo } from "../../../shared/schemas/job.ts";
import type { Calls } from "./calls.ts";

/** An entry that the server is to deal with. */
export interface AskedEntry {
  path: EntryPath;
  /** Its new path; absent for a deletion and a checksum. */
  destination?: EntryPath;
  override?: boolean;
  rename?: boolean;
  /** The entries of a folder that come into an archive, or the paths that come out of one. */
  names?: readonly string[];
  /** The kind of the archive. */
  format?: ArchiveFormat;
  /** Of a checksum. */
  algorithm?: ChecksumName;
}

/** Lets an answer wait a moment for the end of a job, later ones longer. */
const prefer = "respond-async, wait=1";
const preferLater = "respond-async, wait=2";

/** The client of the calls about the user's jobs. Those that begin work wait a little for its end. */
export class JobsApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  begin(action: AskedAction, entries: readonly AskedEntry[]): Promise<Result<JobInfo>> {
    return this.#calls.json("POST /api/jobs", { json: { action, entries }, prefer });
  }

  /** How far a job is; waits a little for its end. */
  get(id: string): Promise<Result<JobInfo>> {
    return this.#calls.json("GET /api/jobs/{id}", { params: { id }, prefer: preferLater });
  }

  change(id: string, state: "paused" | "running" | "cancelled"): Promise<Result<JobInfo>> {
    return this.#calls.json("PATCH /api/jobs/{id}", { params: { id }, json: { state } });
  }

  undo(id: string): Promise<Result<JobInfo>> {
    return this.#calls.json("POST /api/jobs/{id}/undo", { params: { id }, prefer });
  }

  /** The user's jobs, the latest first. */
  list(): Promise<Result<JobInfo[]>> {
    return this.#calls.json("GET /api/jobs");
  }
}
