import type { Access } from "../access/access.ts";
import type { Growth } from "../access/allowance.ts";
import { type GateSpec, SERVER } from "../access/viewer.ts";
import { type EntryPath, ROOT } from "../../shared/path.ts";
import type { FileType } from "../files/content/type_table.ts";
import type { ListOptions } from "../files/listing/listing.ts";
import type { SearchOptions } from "../search/query.ts";
import type { SizeOptions } from "../sizes/measure_folder.ts";
import type { TrashedFolder } from "../trash/measure_trashed.ts";
import { WorkerClient } from "../concurrency/worker_client.ts";
import { targetOf } from "./file_calls.ts";
import type { ListingWork } from "./listing_worker_main.ts";

/** Lists large folders and walks trees in a Worker: the serving thread never waits for the disk. */
export class ListingWorker {
  readonly #worker: WorkerClient<ListingWork>;
  /** Whether the Worker may keep sizes. */
  #hasMeasured = false;

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
    const { offset, limit, around, startsWith, filter, sorting, shared } = options;
    const { groupBy, timeZone, view, countsPictures } = options;
    const sent: ListOptions = {
      ...{ offset, limit, around, startsWith, filter, sorting, shared },
      ...{ groupBy, timeZone, view, countsPictures },
    };
    const args = { target: targetOf(access, path), options: sent };
    return await this.#worker.call("list", args, { signal });
  }

  /**
   * The names of the first files of a folder, from A to Z, whose names tell one of these types.
   *
   * @param max how many
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async firstOfTypes(
    access: Access,
    path: EntryPath,
    types: readonly FileType[],
    max: number,
    signal?: AbortSignal,
  ): Promise<string[]> {
    const args = { target: targetOf(access, path), types, max };
    return await this.#worker.call("firstOfTypes", args, { signal });
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
   * Refuses a folder with anything below it that the viewer does not reach.
   *
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async checkBelow(access: Access, path: EntryPath, signal?: AbortSignal): Promise<void> {
    await this.#worker.call("checkBelow", { target: targetOf(access, path) }, { signal });
  }

  /** Removes what is to be removed from the trash of a disk. @param top of the disk */
  async removeMarked(spec: GateSpec, top: EntryPath): Promise<void> {
    await this.#worker.call("removeMarked", { target: { spec, viewer: SERVER, path: top } });
  }

  /** Adds up the files in a folder of the trash; null when that fails. */
  async measureTrashed(spec: GateSpec, folder: TrashedFolder): Promise<Growth | null> {
    const { id, path, top, ino } = folder;
    const target = { spec, viewer: SERVER, path };
    return await this.#worker.call("measureTrashed", { target, folder: { id, path, top, ino } });
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

  /**
   * Measures everything below a folder, or some of its entries.
   *
   * @returns the totals as JSON in UTF-8; in lines also those so far, on the way
   * @throws {DomainError} `forbidden`, `not_found`, `invalid_path`; and the signal's reason
   */
  async measure(
    access: Access,
    path: EntryPath,
    options: SizeOptions,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const args = { target: targetOf(access, path), options };
    this.#hasMeasured = true;
    return (await this.#worker.stream("measure", args, { signal })).stream.read();
  }

  /** Tells that something has changed in a folder, or in a file of it. @param real its real path */
  async recordChange(spec: GateSpec, real: string): Promise<void> {
    if (!this.#hasMeasured) return;
    await this.#worker.call("recordChange", { target: { spec, viewer: SERVER, path: ROOT }, real });
  }

  /**
   * Parses a large body of JSON.
   *
   * @param body its buffer is transferred
   * @throws {DomainError} as `parseJson()`; and the signal's reason
   */
  async parseJson(
    body: Uint8Array<ArrayBuffer>,
    maxValues: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const options = { signal, transfer: [body.buffer] };
    return await this.#worker.call("parseJson", { body, maxValues }, options);
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.#worker.close();
  }
}
