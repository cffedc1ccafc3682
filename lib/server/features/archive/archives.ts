import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type IncomingStream, type Remote, remote } from "../../core/concurrency/remote.ts";
import { maxHelpers } from "./deflate.ts";
import type { Format } from "./format.ts";
import { withReservation } from "../../files/transfer/growth.ts";
import type { ReportProgress } from "../../files/transfer/progress.ts";
import type { ArchiveFacts, ExtractRequest } from "./order.ts";
import type { SelectionForm } from "./selection.ts";
import type { ArchiveWork } from "./worker.ts";
import type { Part } from "./zip/planned_zip.ts";

/** A prepared archive: the caller reads or cancels it. */
export interface OpenArchive {
  /** Of a stored zip with a known length; else null. */
  facts: ArchiveFacts | null;
  /** The whole archive, or a range of one with a known length. */
  download: IncomingStream<Part | null>;
}

/** Describes the archive to make. */
export interface ArchiveRequest {
  folder: EntryPath;
  /** Paths in the folder; null for all of it. */
  chosen: EntryPath[] | null;
  format: Format;
  /** For a zip: deflate compressible files. */
  deflate: boolean;
  /** Level of gzip and deflate, 1 (fast) to 9 (small); other formats ignore it. */
  level: number;
  /**
   * Time limit for planning a stored zip, in milliseconds. Beyond it, or with too many entries, the
   * archive is made without a length and can't be resumed.
   */
  timeoutMs: number;
}

/** More Workers would only take memory. */
const maxThreads = 4;

/**
 * Makes and extracts archives in Workers, so that the serving thread never waits for the disk or a
 * codec. They start on demand, at most one a processor; each interleaves several archives. When one
 * dies its archives fail, and the next request starts another.
 */
export class Archives {
  readonly #script: URL;
  readonly #max = Math.min(maxThreads, Math.max(1, navigator.hardwareConcurrency));
  readonly #workers: Remote<ArchiveWork>[] = [];

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./worker.ts", import.meta.url)) {
    this.#script = script;
  }

  /**
   * Reads which entries a form names.
   *
   * @param form its buffer is transferred
   * @throws {DomainError} as `readForm()`; and the signal's reason
   */
  async readForm(form: SelectionForm, signal?: AbortSignal): Promise<EntryPath[]> {
    return await this.#worker().readForm(form, { signal, transfer: [form.body.buffer] });
  }

  /**
   * Checks the entries of an archive and prepares it.
   *
   * @param signal aborts the work at any time, also while the archive is read
   * @param report hears before the end what is left out of an archive without a plan; without it, a
   * file in the archive says so
   * @throws {DomainError} `forbidden` without the download permission or for what is denied,
   * `not_found`, `not_a_file`, `not_supported` for a codec that does not load; the signal's reason
   */
  async open(
    access: Access,
    request: ArchiveRequest,
    signal?: AbortSignal,
    report?: ReportProgress,
  ): Promise<OpenArchive> {
    const { folder, chosen, format: { container, codec }, deflate, level, timeoutMs } = request;
    const format = { container, codec };
    const worker = this.#worker();
    const deflating = { level, helpers: this.#helpersOf(worker) };
    const order = {
      ...{ access, folder, chosen, format, deflate, deflating, timeoutMs },
      notesLeftOut: report === undefined,
    };
    const { head, stream } = await worker.make(order, { signal, onReport: report });
    const cancel = () => stream.cancel(signal?.reason);
    if (signal?.aborted) cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
    return { facts: head, download: stream };
  }

  /**
   * Extracts an archive to a new folder. An aborted call goes on until nothing is left of it.
   *
   * @param report takes the progress, and the complete folder before it gets its name
   * @returns the path of the folder
   * @throws {DomainError} as `extractArchive()` does; and the signal's reason
   */
  async extract(
    access: Access,
    request: ExtractRequest,
    signal: AbortSignal,
    report: ReportProgress,
  ): Promise<EntryPath> {
    await access.journal?.remember(access.create(request.to).folderBelowRoot);
    const { from, staging: name } = request;
    const reservation = { action: `Cannot extract "${from}"`, name, isUnsure: false, report };
    return await withReservation(access, reservation, (onReport) => {
      const options = { signal, awaitsEnd: true, onReport };
      return this.#worker().extract({ access, request }, options);
    });
  }

  /** Ends the Workers and aborts downloads. A later request would start another Worker. */
  close(): void {
    for (const worker of this.#workers) worker.close();
  }

  /**
   * The threads that may help a Worker to deflate: fewer for each further one. Alone, a Worker uses
   * all processors; several are as many threads as processors and few more.
   */
  #helpersOf(worker: Remote<ArchiveWork>): number {
    return Math.max(0, maxHelpers - this.#workers.indexOf(worker));
  }

  /** An idle Worker, a new one, or at the limit the one with the fewest calls. */
  #worker(): Remote<ArchiveWork> {
    const [leastLoaded] = this.#workers.toSorted((a, b) => a.load - b.load);
    if (leastLoaded && (leastLoaded.load === 0 || this.#workers.length >= this.#max)) {
      return leastLoaded;
    }
    const worker = remote<ArchiveWork>({
      script: this.#script,
      name: "archives",
      diedOf: () =>
        new DomainError("internal", "Cannot finish the archive: its thread stopped unexpectedly"),
    });
    this.#workers.push(worker);
    return worker;
  }
}
