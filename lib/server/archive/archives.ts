import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import { DomainError } from "../../shared/errors.ts";
import { ArchiveThread } from "./archive_thread.ts";
import type { Download } from "./download.ts";
import type { Format } from "./format.ts";
import type { ArchiveFacts } from "./protocol.ts";

/** An archive that was looked at: to be read or cancelled by whoever asked for it. */
export interface OpenArchive {
  /** Of a stored zip with a known length; nothing of others. */
  facts: ArchiveFacts | null;
  download: Download;
}

/** What is wanted. */
export interface ArchiveRequest {
  folder: EntryPath;
  /** Paths in the folder; null for all of it. */
  chosen: EntryPath[] | null;
  format: Format;
  /** For a zip: deflate what can be made smaller. */
  deflate: boolean;
  /**
   * How long the look at a stored zip's entries may take, in milliseconds. When it takes longer, or
   * there are very many, the archive is made without a length and can't be resumed.
   */
  patienceMs: number;
}

/** More Workers than this would only take memory. */
const mostThreads = 4;

/**
 * Makes archives in Workers, so that the serving thread never waits for the disk or a codec. They
 * start when they are needed, as many as there are processors for; each works on several archives
 * in turns. One that dies takes its archives with it, and the next one asked for starts another.
 */
export class Archives {
  readonly #script: URL;
  readonly #most = Math.min(mostThreads, Math.max(1, navigator.hardwareConcurrency));
  readonly #threads = new Set<ArchiveThread>();

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./worker.ts", import.meta.url)) {
    this.#script = script;
  }

  /**
   * Looks at what is to be put into an archive.
   *
   * @param signal ends the work at any time, also while the archive is read
   * @throws {DomainError} `forbidden` without the download permission or for what is denied,
   * `not_found`, `not_a_file`, `not_supported` for a codec that does not load; the signal's reason
   */
  async open(access: Access, request: ArchiveRequest, signal?: AbortSignal): Promise<OpenArchive> {
    signal?.throwIfAborted();
    const { folder, chosen, format: { container, codec }, deflate, patienceMs } = request;
    const { spec, viewer } = access;
    const format = { container, codec };
    const order = { spec, viewer, folder, chosen, format, deflate, patienceMs };
    const download = this.#thread().open(order);
    signal?.addEventListener("abort", () => download.cancel(signal.reason), { once: true });
    return { facts: await download.opened, download };
  }

  /** Ends the Workers; downloads under way break off. A later one would start another. */
  close(): void {
    for (const thread of this.#threads) {
      thread.close(new DomainError("internal", "Cannot go on: the server is closing"));
    }
    this.#threads.clear();
  }

  /** An idle Worker, a new one, or when there are enough the one with the least to do. */
  #thread(): ArchiveThread {
    const [least] = [...this.#threads].sort((a, b) => a.load - b.load);
    if (least && (least.load === 0 || this.#threads.size >= this.#most)) return least;
    const thread = new ArchiveThread(this.#script, (dead) => this.#threads.delete(dead));
    this.#threads.add(thread);
    return thread;
  }
}
