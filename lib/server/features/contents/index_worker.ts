/** The Worker that keeps the index of content search, or answers questions from it. */
import { asRefusal } from "../../core/access/os_errors.ts";
import { enterAgain, Gate, type SentAccess } from "../../core/access/gate.ts";
import { type GateSpec, INDEXER } from "../../core/access/viewer.ts";
import {
  note,
  serveWorker,
  type StreamCall,
  type WorkerCall,
} from "../../core/concurrency/serve_worker.ts";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import type { ContentIndexState } from "../../../shared/schemas/contents.ts";
import type { ReaderHost } from "../../core/config/config.ts";
import { ask } from "./ask.ts";
import { channelOf, type TouchChannel } from "./channel.ts";
import {
  faultOf,
  IndexFile,
  lockFor,
  openForWriting,
  removeIndex,
  sizeOfIndex,
} from "./index_file.ts";
import { ContentIndexer } from "./content_indexer.ts";
import { pdfReaderOf } from "./pdf_reader.ts";
import type { SpentCompanions } from "./index_walk.ts";
import type { Question } from "./question.ts";
import { askForRebuild, readState, unknownState } from "./state.ts";

/** How long an idle Worker keeps its memory, in milliseconds. */
const idleMs = 30_000;

/** The limits of an index, as the settings have them. */
export interface IndexLimits {
  /** Bytes that are read of a file. */
  maxFileBytes: number;
  /** Bytes that the index may take. */
  maxBytes: number;
}

interface Place {
  /** The path of the index. */
  path: string;
}

let open: IndexFile | null = null;

/** The channels that carry changed files, by the path of the index. */
const channels = new Map<string, TouchChannel>();

const work = {
  /**
   * Keeps the index until the call is aborted. Only one thread of all processes does at a time; the
   * others return at once.
   *
   * @returns whether this one did
   */
  async keep(
    { path, spec, limits, readerHost }: Place & {
      spec: GateSpec;
      limits: IndexLimits;
      readerHost: ReaderHost | null;
    },
    call: WorkerCall<never, void, SpentCompanions>,
  ): Promise<boolean> {
    using lock = lockFor(path);
    if (!lock) return false;
    const { signal } = call;
    const indexer = new ContentIndexer({
      ...{ path, signal, note, maxBytes: limits.maxBytes },
      access: new Gate(spec).enter(INDEXER),
      reading: { maxBytes: limits.maxFileBytes, readPdf: pdfReaderOf(readerHost, signal) },
      onSpent: (spent) => call.report(spent),
    });
    using _channel = channelOf(
      path,
      (touched) => indexer.touch(touched),
      () => indexer.miss(),
    );
    await indexer.run();
    return true;
  },

  /** Streams the answer to a question. */
  async ask(
    { path, access, folder, question }: Place & {
      access: SentAccess;
      folder: EntryPath;
      question: Question;
    },
    call: StreamCall,
  ): Promise<void> {
    const outdated = (touched: EntryPath) => channelTo(path).post(touched);
    const index = openToRead(path);
    try {
      await ask(enterAgain(access), folder, { index, question, outdated }, call);
    } catch (error) {
      if (faultOf(error) === null) throw error;
      // The indexer reads it as well, finds the fault, and rebuilds it.
      close();
      channelTo(path).post(ROOT);
      throw new Error(`the index does not answer: ${(error as Error).message}`);
    }
  },

  /** How far the index is. */
  state({ path }: Place): ContentIndexState {
    try {
      const index = openToRead(path);
      return { ...index ? readState(index) : unknownState, bytes: sizeOfIndex(path) };
    } catch (error) {
      if (faultOf(error) === null) throw error;
      close();
      return { ...unknownState, bytes: sizeOfIndex(path) };
    }
  },

  /** Requests that the index is rebuilt. */
  rebuild({ path }: Place): void {
    using index = openForWriting(path, note);
    askForRebuild(index);
  },

  /** Removes the index, unless a thread keeps it. */
  remove({ path }: Place): boolean {
    close();
    using lock = lockFor(path);
    if (!lock) return false;
    removeIndex(path);
    removeLock(path);
    return true;
  },
};

/** The functions of this worker. */
export type IndexWork = typeof work;

serveWorker(work, {
  asError: (thrown, name) => asRefusal(thrown, `Cannot search in contents (${name})`),
  idleMs,
});

/** The index for reading; the same one as long as no other takes its place. */
function openToRead(path: string): IndexFile | null {
  if (open && (open.path !== path || open.isReplaced)) close();
  try {
    return open ??= new IndexFile(path, "read");
  } catch (error) {
    // Not there yet, or about to be rebuilt.
    if (faultOf(error) !== null) return null;
    throw error;
  }
}

function channelTo(path: string): TouchChannel {
  const channel = channels.get(path) ?? channelOf(path, () => {});
  channels.set(path, channel);
  return channel;
}

function close(): void {
  open?.[Symbol.dispose]();
  open = null;
}

function removeLock(path: string): void {
  try {
    Deno.removeSync(`${path}.lock`);
  } catch {
    // Removed by another process.
  }
}
