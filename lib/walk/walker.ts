import type { EntryPath } from "../access/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { ListOptions } from "../files/listing.ts";
import type { SearchOptions } from "../search/query.ts";
import type { Task } from "./protocol.ts";
import { WorkerCalls } from "./worker_calls.ts";

/**
 * Lists large folders and walks trees in a Worker, so that the serving thread never waits for the
 * disk. The Worker starts with the first call; one that dies takes its calls with it, which reject,
 * and the next call starts another.
 */
export class Walker {
  readonly #calls: WorkerCalls<Task>;

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./worker.ts", import.meta.url)) {
    this.#calls = new WorkerCalls(script, "walker");
  }

  /**
   * Lists a folder.
   *
   * @returns the JSON of a `Resource` in UTF-8, in pages
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async list(
    spec: GateSpec,
    viewer: Viewer,
    path: EntryPath,
    options: ListOptions,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const { offset, limit, around, sorting } = options;
    const target = { spec, viewer, path };
    const task: Task = { kind: "list", target, options: { offset, limit, around, sorting } };
    return await this.#calls.call(task, signal);
  }

  /**
   * Removes a folder with all below it, unless something below is denied.
   *
   * @throws {DomainError} `forbidden` with nothing done, `not_found`; and the signal's reason
   */
  async remove(
    spec: GateSpec,
    viewer: Viewer,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#calls.call({ kind: "remove", target: { spec, viewer, path } }, signal);
  }

  /**
   * Looks for entries by name.
   *
   * @returns the results as they are found, in UTF-8
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async search(
    spec: GateSpec,
    viewer: Viewer,
    path: EntryPath,
    options: SearchOptions,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const task: Task = { kind: "search", target: { spec, viewer, path }, options };
    return await this.#calls.stream(task, signal);
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.#calls.close();
  }
}
