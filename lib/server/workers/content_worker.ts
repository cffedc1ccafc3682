import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import { targetOf } from "./file_calls.ts";
import { WorkerClient } from "../concurrency/worker_client.ts";
import type { TransferProgress } from "../files/transfer/progress.ts";
import type { ContentWork } from "./content_worker_main.ts";
import type { ChecksumName } from "../../shared/api_types.ts";

/** A result, and the state of the file that it is based on. */
export interface Reading<Made = Uint8Array<ArrayBuffer>> {
  made: Made;
  etag: string;
  modified: Date;
}

/**
 * Reads file contents in a Worker where that is slow: digests, long texts, legacy encodings,
 * subtitles.
 */
export class ContentWorker {
  readonly #worker: WorkerClient<ContentWork>;

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./content_worker_main.ts", import.meta.url)) {
    this.#worker = new WorkerClient({ script, name: "content" });
  }

  /**
   * The digest of a file's content in hexadecimal digits.
   *
   * @param report takes the progress
   * @throws {DomainError} `forbidden`, `not_found`, `is_folder`, `not_a_file`; the signal's reason
   */
  async hash(
    access: Access,
    path: EntryPath,
    algorithm: ChecksumName,
    signal?: AbortSignal,
    report?: (progress: TransferProgress) => void,
  ): Promise<string> {
    const args = { target: targetOf(access, path), algorithm };
    return await this.#worker.call("hash", args, { signal, onReport: report });
  }

  /**
   * Describes a file with its text, as the JSON of a `Resource`, streamed as the caller reads.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`; the signal's reason
   */
  async describe(
    access: Access,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<Reading<ReadableStream<Uint8Array<ArrayBuffer>>>> {
    const args = { target: targetOf(access, path) };
    const { head, stream } = await this.#worker.stream("describe", args, { signal });
    return { made: stream.read(), etag: head.etag, modified: new Date(head.modified) };
  }

  /**
   * Converts subtitles to WebVTT.
   *
   * @throws {DomainError} as {@link describe}; `not_supported` for a file that is too large or not
   * text
   */
  async convert(access: Access, path: EntryPath, signal?: AbortSignal): Promise<Reading> {
    const args = { target: targetOf(access, path) };
    const { vtt, state } = await this.#worker.call("convert", args, { signal });
    return { made: vtt, etag: state.etag, modified: new Date(state.modified) };
  }

  /**
   * The paths of a video's subtitles.
   *
   * @throws {DomainError} `forbidden`, `not_found`; the signal's reason
   */
  async find(access: Access, path: EntryPath, signal?: AbortSignal): Promise<EntryPath[]> {
    return await this.#worker.call("find", { target: targetOf(access, path) }, { signal });
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.#worker.close();
  }
}
