import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { CommittedCopy } from "../files/transfer/finish_transfer.ts";
import type { OnReport } from "../files/transfer/growth.ts";
import type { TransferRequest } from "../files/transfer/request.ts";
import { WorkerClient } from "../concurrency/worker_client.ts";
import type { TransferWork } from "./transfer_worker_main.ts";

/** Copies and moves entries in a Worker, so that neither requests nor listings wait. */
export class TransferWorker {
  readonly #worker: WorkerClient<TransferWork>;

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./transfer_worker_main.ts", import.meta.url)) {
    this.#worker = new WorkerClient({ script, name: "transfer" });
  }

  /**
   * Copies or moves an entry. Unlike a listing, an aborted call goes on until the answer: that says
   * whether the transfer was undone in time or completed.
   *
   * @returns the entry's new path
   * @throws {DomainError} as `runTransfer()` does; and the signal's reason
   */
  async transfer(
    { spec, viewer }: Access,
    request: TransferRequest,
    signal?: AbortSignal,
    onReport?: OnReport,
  ): Promise<EntryPath> {
    const options = { signal, awaitsEnd: true, onReport };
    try {
      return await this.#worker.call("transfer", { spec, viewer, request }, options);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  /**
   * Finishes a transfer that a kill has cut short.
   *
   * @returns whether its copy had got its name
   * @throws {DomainError} as {@link transfer}
   */
  finish(
    { spec, viewer }: Access,
    request: TransferRequest,
    copy: CommittedCopy,
    signal: AbortSignal,
  ): Promise<boolean> {
    return this.#worker.call("finish", { spec, viewer, request, copy }, { signal });
  }

  /** Removes what an aborted transfer has left in one of the folders to be resumed. */
  removeStaging({ spec, viewer }: Access, folders: EntryPath[], staging: string): Promise<void> {
    return this.#worker.call("removeStaging", { spec, viewer, folders, staging });
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.#worker.close();
  }
}
