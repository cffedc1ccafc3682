/** The Worker that copies and moves entries. */
import type { Growth } from "../../core/access/allowance.ts";
import { enterAgain, type SentAccess } from "../../core/access/gate.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { TransferRequest } from "../transfer/request.ts";
import { type CommittedCopy, finishTransfer, removeStaging } from "../transfer/finish_transfer.ts";
import type { WriteReport } from "../transfer/growth.ts";
import type { TransferReport } from "../transfer/progress.ts";
import { runTransfer } from "../transfer/run_transfer.ts";
import { serveWorker, type WorkerCall } from "../../core/concurrency/serve_worker.ts";

/** A transfer, and for whom the gate opens. */
interface TransferOrder {
  access: SentAccess;
  request: TransferRequest;
}

/** The idle time after which the worker ends, as a restart takes only some tenths of a second. */
const idleMs = 60_000;

const work = {
  /**
   * Copies or moves an entry.
   *
   * @returns its new path
   * @throws {DomainError} as `runTransfer()` does
   */
  transfer(
    { access, request }: TransferOrder,
    call: WorkerCall<never, void, WriteReport>,
  ): Promise<EntryPath> {
    const report = (update: TransferReport) => call.report(update);
    const ask = access.viewer.quota && ((growth: Growth) => call.report({ growth }));
    return runTransfer(enterAgain(access), request, call.signal, report, ask);
  },

  /**
   * Finishes a transfer that a kill has cut short.
   *
   * @returns whether its copy had got its name
   * @throws {DomainError} as `transfer`
   */
  finish(
    { access, request, copy }: TransferOrder & { copy: CommittedCopy },
    { signal }: WorkerCall,
  ): Promise<boolean> {
    return finishTransfer(enterAgain(access), request, copy, signal);
  },

  /** Removes what an aborted transfer has left in one of the folders to be resumed. */
  removeStaging(
    { access, folders, staging }: { access: SentAccess; folders: EntryPath[]; staging: string },
  ): Promise<void> {
    return removeStaging(enterAgain(access), folders, staging);
  },
};

/** The functions of this worker. */
export type TransferWork = typeof work;

serveWorker(work, { idleMs });
