import { type Remote, remote } from "../../core/concurrency/remote.ts";
import type { ContentWork } from "./content_worker_main.ts";
import type { ListingWork } from "./listing_worker_main.ts";
import type { TransferWork } from "./transfer_worker_main.ts";

/** Lists large folders and walks trees: the serving thread never waits for the disk. */
export type ListingWorker = Remote<ListingWork>;

/** Reads file contents where that is slow: digests, long texts, legacy encodings, subtitles. */
export type ContentWorker = Remote<ContentWork>;

/** Copies and moves entries, so that neither requests nor listings wait. */
export type TransferWorker = Remote<TransferWork>;

/** Opens the Worker for listings. @param script its module, in tests */
export function openListingWorker(
  script = new URL("./listing_worker_main.ts", import.meta.url),
): ListingWorker {
  return remote<ListingWork>({ script, name: "listing" });
}

/** Opens the Worker for contents. */
export function openContentWorker(): ContentWorker {
  return remote<ContentWork>({
    script: new URL("./content_worker_main.ts", import.meta.url),
    name: "content",
  });
}

/** Opens the Worker for transfers. */
export function openTransferWorker(): TransferWorker {
  return remote<TransferWork>({
    script: new URL("./transfer_worker_main.ts", import.meta.url),
    name: "transfer",
  });
}
