import { type Remote, remote } from "../../../core/concurrency/remote.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { BrowseWork } from "./worker.ts";

/**
 * Shows archives as folders, in a Worker of its own that keeps what it has read: the disk, the
 * codecs and the libraries never hold up the serving thread or an extraction.
 */
export type ArchiveBrowser = Remote<BrowseWork>;

/** Opens the Worker that shows archives. */
export function openArchiveBrowser(): ArchiveBrowser {
  return remote<BrowseWork>({
    script: new URL("./worker.ts", import.meta.url),
    name: "archive contents",
    diedOf: () =>
      new DomainError("internal", "Cannot finish the archive: its thread stopped unexpectedly"),
  });
}
