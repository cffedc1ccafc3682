/**
 * A Worker that visits folders of a long search for the listing Worker, describes half of a large
 * folder or reads facts of a huge one, and ends when idle.
 */
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { enterAgain, type SentAccess } from "../../core/access/gate.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { serveWorker, type WorkerCall } from "../../core/concurrency/serve_worker.ts";
import { encodePart } from "../listing/folder_resource.ts";
import type { SentPart } from "../listing/listing.ts";
import { readSentEntries, type SentEntries } from "../listing/read_facts.ts";
import type { EntryPath } from "../../../shared/path.ts";
import {
  type FolderVisit,
  folderVisitOf,
  unpackFolders,
  visitBatch,
  type Visited,
  type WalkOrder,
} from "../search/folder_visit.ts";

/** Idle time after which the thread is ended, in milliseconds. */
const idleMs = 10_000;

/** The walks that this thread helps with. */
const walks = new Map<number, { top: FolderHandle; visit: FolderVisit }>();

const work = {
  /** Prepares a walk, as the viewer whose it is. */
  begin(
    { walk, access, path, order }: {
      walk: number;
      access: SentAccess;
      path: EntryPath;
      order: WalkOrder;
    },
  ): void {
    const top = enterAgain(access).folder(path);
    walks.set(walk, { top, visit: folderVisitOf(order) });
  },

  /** Visits folders of a walk. */
  visit({ walk, folders }: { walk: number; folders: string }): Visited {
    const begun = walks.get(walk);
    if (!begun) throw new Error("Cannot help with a walk: it has not started");
    return visitBatch(begun.visit, unpackFolders(begun.top, folders));
  },

  /** Does nothing: once it has, the thread has started. */
  start(): void {},

  /** Describes a part of a listing, as {@linkcode encodePart}. */
  describe(
    { access, part }: { access: SentAccess; part: SentPart },
    { signal }: WorkerCall,
  ): Promise<Uint8Array<ArrayBuffer>[] | null> {
    return encodePart(enterAgain(access), part, new Pauses(signal));
  },

  /** Reads facts for a listing, as {@linkcode readSentEntries}. */
  readFacts(
    { access, entries }: { access: SentAccess; entries: SentEntries },
    { signal }: WorkerCall,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    return readSentEntries(enterAgain(access), entries, new Pauses(signal));
  },

  /** Forgets a walk. */
  forget({ walk }: { walk: number }): void {
    walks.delete(walk);
  },
};

/** The functions of this worker. */
export type WalkHelp = typeof work;

serveWorker(work, { idleMs });
