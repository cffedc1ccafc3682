import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ListOptions } from "../files/listing/listing.ts";
import type { SearchOptions } from "../search/query.ts";
import { WorkerClient } from "../concurrency/worker_client.ts";
import { targetOf } from "./file_calls.ts";
import type { ListingWork } from "./listing_worker_main.ts";

/** Lists large folders and walks trees in a Worker: the serving thread never waits for the disk. */
export class ListingWorker {
  readonly #worker: WorkerClient<ListingWork>;

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./listing_worker_main.ts", import.meta.url)) {
    this.#worker = new WorkerClient({ script, name: "listing" });
  }

  /**
   * Lists a folder.
   *
   * @returns the JSON of a `Resource` in UTF-8 chunks
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async list(
    access: Access,
    path: EntryPath,
    options: ListOptions,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const { offset, limit, around, sorting } = options;
    const args = { target: targetOf(access, path), options: { offset, limit, around, sorting } };
    return await this.#worker.call("list", args, { signal });
  }

  /**
   * Removes a folder with its whole subtree, unless anything below is denied.
   *
   * @throws {DomainError} `forbidden` with nothing done, `not_found`; and the signal's reason
   */
  async remove(
    access: Access,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#worker.call("remove", { target: targetOf(access, path) }, { signal });
  }

  /**
   * Searches entries by name.
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
    const args = { target: targetOf(access, path), options };
    return (await this.#worker.stream("search", args, { signal })).stream.read();
  }

  /**
   * Lists all entries below a folder.
   *
   * @returns a JSON array of `TreeEntry` in UTF-8, as the walk goes on
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async tree(
    access: Access,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const args = { target: targetOf(access, path) };
    return (await this.#worker.stream("tree", args, { signal })).stream.read();
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.#worker.close();
  }
}
