import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ListOptions } from "../files/listing/listing.ts";
import type { SearchOptions } from "../search/query.ts";
import { OwnWorker } from "../rpc/own_worker.ts";
import { targetOf, type Task } from "../rpc/protocol.ts";

/** Lists large folders and walks trees in a Worker: the serving thread never waits for the disk. */
export class Walker extends OwnWorker<Task> {
  /** @param script the Worker's module */
  constructor(script: URL = new URL("./listing_worker.ts", import.meta.url)) {
    super(script, "walker");
  }

  /**
   * Lists a folder.
   *
   * @returns the JSON of a `Resource` in UTF-8, in pages
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async list(
    access: Access,
    path: EntryPath,
    options: ListOptions,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const { offset, limit, around, sorting } = options;
    const target = targetOf(access, path);
    const task: Task = { kind: "list", target, options: { offset, limit, around, sorting } };
    return await this.calls.call(task, signal);
  }

  /**
   * Removes a folder with all below it, unless something below is denied.
   *
   * @throws {DomainError} `forbidden` with nothing done, `not_found`; and the signal's reason
   */
  async remove(
    access: Access,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.calls.call({ kind: "remove", target: targetOf(access, path) }, signal);
  }

  /**
   * Looks for entries by name.
   *
   * @returns the results as they are found, in UTF-8
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async search(
    access: Access,
    path: EntryPath,
    options: SearchOptions,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const task: Task = { kind: "search", target: targetOf(access, path), options };
    return (await this.calls.stream(task, signal)).readable;
  }
}
