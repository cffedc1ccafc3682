import type { OfficeServer } from "../../core/config/office_options.ts";
import type { Store } from "../../core/kv/store.ts";
import type { Locks } from "../dav/locks.ts";
import { Discovery } from "./discovery.ts";
import { DocumentLocks } from "./document_locks.ts";
import { OfficeDocuments } from "./documents.ts";

/** The office server, and the documents that are open in it. */
export interface Office {
  server: OfficeServer;
  discovery: Discovery;
  documents: OfficeDocuments;
  locks: DocumentLocks;
}

/**
 * Opens what an office server needs.
 *
 * @param report takes what goes wrong, for the log
 */
export function openOffice(
  server: OfficeServer,
  store: Store,
  locks: Locks,
  report: (reason: string) => void,
): Office {
  return {
    server,
    discovery: new Discovery(server, { report }),
    documents: new OfficeDocuments(store),
    locks: new DocumentLocks(store, locks),
  };
}
