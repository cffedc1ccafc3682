import { Gate } from "../access/gate.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { TransferRequest } from "../files/transfer/request.ts";
import { runTransfer } from "../files/transfer/run_transfer.ts";
import { serveWorker } from "../concurrency/serve_worker.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";

/** Viewer and request of a transfer. */
export interface TransferOrder {
  spec: GateSpec;
  viewer: Viewer;
  request: TransferRequest;
}

const work = {
  /** Copies or moves an entry; returns its new path. */
  transfer(
    { spec, viewer, request }: TransferOrder,
    { signal }: WorkerCall,
  ): Promise<EntryPath> {
    return runTransfer(new Gate(spec).enter(viewer), request, signal);
  },
};

/** The functions of this worker. */
export type TransferWork = typeof work;

serveWorker(work);
