import type { Access } from "../../access/access.ts";
import { WorkerClient } from "../../concurrency/worker_client.ts";
import type { OpenStream } from "../../concurrency/worker_client.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryFacts, EntryOrder, ListOrder } from "./order.ts";
import type { BrowseWork, Listed } from "./worker.ts";

/**
 * Shows archives as folders, in a Worker of its own that keeps what it has read: the disk, the
 * codecs and the libraries never hold up the serving thread or an extraction.
 */
export class ArchiveBrowser {
  readonly #worker: WorkerClient<BrowseWork>;

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./worker.ts", import.meta.url)) {
    this.#worker = new WorkerClient<BrowseWork>({
      script,
      name: "archive contents",
      diedOf: () =>
        new DomainError("internal", "Cannot finish the archive: its thread stopped unexpectedly"),
    });
  }

  /**
   * Lists some rows of a folder of an archive.
   *
   * @returns how far the archive has been read, when that takes longer than asked
   * @throws {DomainError} `forbidden`, `not_found`, `is_folder`, `not_a_file`; `broken_archive`,
   * `unsafe_archive`, `encrypted_archive`, `archive_too_large`, `not_supported`; the signal's
   * reason
   */
  list(
    { spec, viewer }: Access,
    order: Omit<ListOrder, "spec" | "viewer">,
    signal: AbortSignal,
  ): Promise<Listed> {
    return this.#worker.call("list", { spec, viewer, ...order }, { signal });
  }

  /**
   * Opens a file of an archive. The caller reads or cancels its stream.
   *
   * @throws {DomainError} likewise
   */
  read(
    { spec, viewer }: Access,
    order: Pick<EntryOrder, "archive" | "entry">,
    signal: AbortSignal,
  ): Promise<OpenStream<EntryFacts, void>> {
    return this.#worker.stream("read", { spec, viewer, waitMs: null, ...order }, { signal });
  }

  /** Ends the Worker. A later call would start another. */
  close(): void {
    this.#worker.close();
  }
}
