/** The Worker that copies and moves entries. */
import type { Growth } from "../access/allowance.ts";
import { Gate } from "../access/gate.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { TransferRequest } from "../files/transfer/request.ts";
import {
  type CommittedCopy,
  finishTransfer,
  removeStaging,
} from "../files/transfer/finish_transfer.ts";
import type { WriteReport } from "../files/transfer/growth.ts";
import type { TransferReport } from "../files/transfer/progress.ts";
import { runTransfer } from "../files/transfer/run_transfer.ts";
import { serveWorker } from "../concurrency/serve_worker.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";

/** Viewer and request of a transfer. */
export interface TransferOrder {
  spec: GateSpec;
  viewer: Viewer;
  request: TransferRequest;
}

/** The idle time after which the worker ends, as a restart takes only some tenths of a second. */
const idleMs = 60_000;

const work = {
  /** Copies or moves an entry; returns its new path. */
  transfer(
    { spec, viewer, request }: TransferOrder,
    call: WorkerCall<null, void, WriteReport>,
  ): Promise<EntryPath> {
    const report = (update: TransferReport) => call.report(update);
    const ask = viewer.quota && ((growth: Growth) => call.report({ growth }));
    return runTransfer(new Gate(spec).enter(viewer), request, call.signal, report, ask);
  },

  /** Finishes what a kill has cut short; whether the copy had got its name. */
  finish(
    { spec, viewer, request, copy }: TransferOrder & { copy: CommittedCopy },
    { signal }: WorkerCall,
  ): Promise<boolean> {
    return finishTransfer(new Gate(spec).enter(viewer), request, copy, signal);
  },

  /** Removes what an aborted transfer has left to be resumed. */
  removeStaging(
    { spec, viewer, folders, staging }: Pick<TransferOrder, "spec" | "viewer"> & {
      folders: EntryPath[];
      staging: string;
    },
    _: WorkerCall,
  ): Promise<void> {
    return removeStaging(new Gate(spec).enter(viewer), folders, staging);
  },
};

/** The functions of this worker. */
export type TransferWork = typeof work;

serveWorker(work, { idleMs });
