import { DomainError } from "../../shared/errors.ts";
import { type EntryPath, nameOf } from "../../shared/path.ts";
import { freePath } from "../files/upload/free_path.ts";
import type { PartBody, ResumableUploads, UploadState } from "../files/upload/resumable.ts";
import { extensionOf } from "../files/content/types.ts";
import type { FileRequest } from "./request.ts";
import type { RequestUpload, RequestUses } from "./request_uses.ts";
import { receivedPath, senderName } from "./received_path.ts";
import type { RequestVisit } from "./request_visit.ts";
import { makeCapability } from "./requests.ts";

/** A file that a visitor is about to send. */
export interface ReceivedFile {
  /** With its folders, as the visitor's system calls them: `photos/sea.jpg`. */
  name: string;
  /** "" when the visitor has not said. */
  sender: string;
  /** In bytes. */
  length: number;
  /** The time that the file is to have, in milliseconds since 1970. */
  lastModified?: number;
}

/**
 * The files that visitors send by requests: resumable uploads, as users' own, each found by an id
 * that its sender alone knows. Nothing of the folder is revealed, not even the name that a file gets.
 */
export class ReceivedFiles {
  readonly #uploads: ResumableUploads;
  readonly #uses: RequestUses;

  constructor(uploads: ResumableUploads, uses: RequestUses) {
    this.#uploads = uploads;
    this.#uses = uses;
  }

  /**
   * Begins an upload.
   *
   * @returns its id
   * @throws DomainError `wrong_content_type` for a kind that is not wanted; as `RequestUses.hold()`
   * and `ResumableUploads.begin()`
   */
  async begin(
    { request, access }: RequestVisit,
    file: ReceivedFile,
  ): Promise<{ id: string; state: UploadState }> {
    const path = freePath(access, receivedPath(file.name, file.sender, Date.now()));
    checkKind(request, path);
    const sender = senderName(file.sender);
    const named = sender !== "" && { sender };
    const upload = { id: makeCapability(), path, length: file.length, ...named };
    await this.#uses.hold(request, upload);
    try {
      const { length, lastModified } = file;
      const draft = { ...uploaderOf(request, upload), path, length, override: false, lastModified };
      return { id: upload.id, state: await this.#uploads.begin(access, draft) };
    } catch (error) {
      await this.#uses.release(request.hash, upload.id);
      throw error;
    }
  }

  /**
   * How much of an upload has come.
   *
   * @throws DomainError `not_found`
   */
  async state({ request, access }: RequestVisit, id: string): Promise<UploadState> {
    const upload = await this.#uses.upload(request.hash, id);
    return await this.#uploads.state(access, uploaderOf(request, upload), upload.path);
  }

  /**
   * Adds bytes. With the last ones the file gets a free name, and is counted.
   *
   * @param around called around the moment in which the file gets its name
   * @throws DomainError as `ResumableUploads.append()`
   */
  async append(
    { request, access }: RequestVisit,
    id: string,
    bytes: PartBody,
    around: (upload: RequestUpload, finish: () => Promise<string>) => Promise<string>,
  ): Promise<UploadState> {
    const upload = await this.#uses.upload(request.hash, id);
    const { until: _, ...wanted } = upload;
    const { path } = upload;
    checkKind(request, path);
    await this.#uses.hold(request, wanted);
    const state = await this.#uploads.append(access, uploaderOf(request, upload), path, bytes, {
      around: (finish) => around(upload, finish),
    });
    if (state.etag !== undefined) await this.#uses.received(request.hash, upload);
    return state;
  }

  /**
   * Drops an upload with all that has come.
   *
   * @throws DomainError `not_found`, `locked`
   */
  async drop({ request, access }: RequestVisit, id: string): Promise<void> {
    const upload = await this.#uses.upload(request.hash, id);
    await this.#uploads.drop(access, uploaderOf(request, upload), upload.path);
    await this.#uses.release(request.hash, id);
  }
}

function uploaderOf({ userId }: FileRequest, { id }: Pick<RequestUpload, "id">) {
  return { userId, upload: id };
}

function checkKind({ limits: { kinds } }: FileRequest, path: EntryPath): void {
  const kind = extensionOf(nameOf(path)).slice(1);
  if (kinds.length === 0 || kinds.includes(kind)) return;
  const wanted = kinds.map((each) => `"${each}"`).join(", ");
  throw new DomainError("wrong_content_type", `Cannot take the file: wanted are ${wanted}`);
}
