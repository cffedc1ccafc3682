import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ChecksumAlgorithm } from "../files/content/checksum.ts";
import { OwnWorker } from "../rpc/own_worker.ts";
import { targetOf } from "../rpc/protocol.ts";
import { unpack } from "./packet.ts";
import type { FileState, ReadingTask } from "./content_protocol.ts";

/** What is made of a file, and which state of it that is made of. */
export interface Reading<Made = Uint8Array<ArrayBuffer>> {
  made: Made;
  etag: string;
  modified: Date;
}

/**
 * Reads what is in files where that takes time: digests, long texts, texts in old encodings,
 * subtitles.
 */
export class Reader extends OwnWorker<ReadingTask> {
  /** @param script the Worker's module */
  constructor(script: URL = new URL("./content_worker.ts", import.meta.url)) {
    super(script, "reader");
  }

  /**
   * The digest of a file's content in hexadecimal digits.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `is_folder`, `not_a_file`; the signal's reason
   */
  async hash(
    access: Access,
    path: EntryPath,
    algorithm: ChecksumAlgorithm,
    signal?: AbortSignal,
  ): Promise<string> {
    const task: ReadingTask = { kind: "hash", target: targetOf(access, path), algorithm };
    return new TextDecoder().decode(await this.#bytesOf(task, signal));
  }

  /**
   * Describes a file with its text, as the JSON of a `Resource`, which is read as it is taken.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`; the signal's reason
   */
  async describe(
    access: Access,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<Reading<ReadableStream<Uint8Array<ArrayBuffer>>>> {
    const task: ReadingTask = { kind: "describe", target: targetOf(access, path) };
    const { head, readable } = await this.calls.stream<FileState>(task, signal);
    return { made: readable, etag: head.etag, modified: new Date(head.modified) };
  }

  /**
   * Makes WebVTT of subtitles.
   *
   * @throws {DomainError} as {@link describe}; `not_supported` for what is too large or no text
   */
  async convert(access: Access, path: EntryPath, signal?: AbortSignal): Promise<Reading> {
    const task: ReadingTask = { kind: "convert", target: targetOf(access, path) };
    const { head, body } = unpack<FileState>(await this.#bytesOf(task, signal));
    return { made: body, etag: head.etag, modified: new Date(head.modified) };
  }

  /**
   * The paths of a video's subtitles.
   *
   * @throws {DomainError} `forbidden`, `not_found`; the signal's reason
   */
  async find(access: Access, path: EntryPath, signal?: AbortSignal): Promise<EntryPath[]> {
    const task: ReadingTask = { kind: "find", target: targetOf(access, path) };
    return JSON.parse(new TextDecoder().decode(await this.#bytesOf(task, signal)));
  }

  async #bytesOf(task: ReadingTask, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const [bytes] = await this.calls.call(task, signal);
    if (!bytes) throw new Error("Cannot read the file: the Worker gave no answer");
    return bytes;
  }
}
