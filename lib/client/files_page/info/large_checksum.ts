import type { ChecksumName } from "../../../shared/api_types.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { failure, type FailureCode, type Result, success } from "../../../shared/result.ts";
import type { JobInfo } from "../../../shared/schemas/job.ts";
import { JobsApi } from "../../base/api/jobs_api.ts";
import type { Calls } from "../../base/api/calls.ts";
import { isOver, type Tasks } from "../../base/files/tasks.ts";

/** Files from this size on are hashed by a job, in bytes. */
export const LARGE = 256 * 1024 * 1024;

/** The jobs that were begun on this page, as they were then, by path and algorithm. */
const begun = new Map<string, Promise<Result<JobInfo>>>();

/** The checksum of a large file: its job goes on when the prompt is closed, and is found again. */
export class LargeChecksum {
  readonly #jobs: JobsApi;
  readonly #tasks: Pick<Tasks, "put" | "remove">;
  readonly #path: EntryPath;
  readonly #algorithm: ChecksumName;

  constructor(
    calls: Calls,
    tasks: Pick<Tasks, "put" | "remove">,
    path: EntryPath,
    algorithm: ChecksumName,
  ) {
    this.#jobs = new JobsApi(calls);
    this.#tasks = tasks;
    this.#path = path;
    this.#algorithm = algorithm;
  }

  /** Whether its job was begun already. */
  get isBegun(): boolean {
    return begun.has(this.#key);
  }

  /**
   * Begins the job, or follows it to its end.
   *
   * @param signal ends the following, not the job
   * @returns the digest in hexadecimal digits
   */
  async digest(signal: AbortSignal): Promise<Result<string>> {
    const entry = { path: this.#path, algorithm: this.#algorithm };
    const beginning = begun.get(this.#key) ?? this.#jobs.begin("checksum", [entry]);
    begun.set(this.#key, beginning);
    let answer = await beginning;
    while (answer.ok && !isOver(answer.value)) {
      if (signal.aborted) return failure(0, "aborted", "It is not waited for");
      this.#tasks.put(answer.value);
      answer = await this.#jobs.get(answer.value.id);
    }
    if (!signal.aborted) begun.delete(this.#key);
    if (!answer.ok) return answer;
    this.#tasks.remove(answer.value.id);
    return digestOf(answer.value);
  }

  /** Cancels the job. */
  async cancel(): Promise<void> {
    const beginning = await begun.get(this.#key);
    begun.delete(this.#key);
    if (beginning?.ok) await this.#jobs.change(beginning.value.id, "cancelled");
  }

  get #key(): string {
    return `${this.#algorithm} ${this.#path}`;
  }
}

function digestOf({ checksums: [made], failures: [why] }: JobInfo): Result<string> {
  if (made) return success(made.digest);
  return failure(0, why ? why.code as FailureCode : "aborted", why?.message ?? "It was cancelled");
}
