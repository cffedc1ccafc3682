import { DomainError } from "../../../../shared/errors.ts";
import { type EntryPath, nameOf } from "../../../../shared/path.ts";
import { freePath } from "../../../files/upload/free_path.ts";
import type { ResumableUploads } from "../../../files/upload/resumable.ts";
import type { PartBody } from "../../../files/upload/part_file.ts";
import type { Naming } from "../../../files/upload/upload_ends.ts";
import type { UploadState } from "../../../files/upload/upload_parts.ts";
import type { Access } from "../../../core/access/access.ts";
import { extensionOf } from "../../../files/content/types.ts";
import type { FileRequest } from "./request.ts";
import type { RequestUpload, RequestUses } from "./request_uses.ts";
import { receivedPath, senderName } from "./received_path.ts";
import type { RequestVisit } from "./request_visit.ts";
import { makeCapability } from "../link_terms.ts";

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

/** Runs around the moment in which a visitor's file gets its name. */
export type AroundReceived = (
  upload: RequestUpload,
  finish: () => Promise<string>,
) => Promise<string>;

/** The subject of the commands hooked to a visitor's upload, with the name that is free now. */
export function receivedSubject(
  access: Access,
  { hash }: Pick<FileRequest, "hash">,
  { path: wanted, length, sender = "" }: RequestUpload,
) {
  const path = freePath(access, wanted);
  const file = () => access.create(path).real;
  return { access, path, file, request: hash, details: { sender, bytes: length } };
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
   * @param address of the visitor
   * @returns its id
   * @throws DomainError `wrong_content_type` for a kind that is not wanted; as `RequestUses.announce()`
   * and `ResumableUploads.begin()`
   */
  async begin(
    { request, access }: RequestVisit,
    file: ReceivedFile,
    address: string,
  ): Promise<{ id: string; state: UploadState }> {
    const path = receivedPath(file.name, file.sender, Date.now());
    checkKind(request, path);
    const sender = senderName(file.sender);
    const named = sender !== "" && { sender };
    const { userId } = request;
    const upload = { id: makeCapability(), userId, path, length: file.length, ...named };
    await this.#uses.announce(request, upload, address);
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
   * How much of an upload has come. One that has all its bytes gets its name first.
   *
   * @throws DomainError `not_found`; as `ResumableUploads.state()`
   */
  async state(visit: RequestVisit, id: string, around: AroundReceived): Promise<UploadState> {
    const { request, access } = visit;
    const end = await this.#endOf(request, id);
    if (end) return end;
    const upload = await this.#uses.upload(request.hash, id);
    const naming = this.#namingOf(visit, upload, around);
    const uploader = uploaderOf(request, upload);
    return await this.#noted(
      request,
      upload,
      await this.#uploads.state(access, uploader, upload.path, naming),
    );
  }

  /**
   * Adds bytes. With the last ones the file gets a free name, and is counted.
   *
   * @throws DomainError as `ResumableUploads.append()`
   */
  async append(
    visit: RequestVisit,
    id: string,
    bytes: PartBody,
    around: AroundReceived,
  ): Promise<UploadState> {
    const { request, access } = visit;
    const end = await this.#endOf(request, id, bytes);
    if (end) return end;
    const upload = await this.#uses.upload(request.hash, id);
    const { path } = upload;
    checkKind(request, path);
    if (bytes.offset > 0) await this.#uses.hold(request, upload);
    const naming = this.#namingOf(visit, upload, around);
    const uploader = uploaderOf(request, upload);
    return await this.#noted(
      request,
      upload,
      await this.#uploads.append(access, uploader, path, bytes, naming),
    );
  }

  async #endOf(request: FileRequest, id: string, bytes?: PartBody): Promise<UploadState | null> {
    const end = await this.#uploads.endOf(uploaderOf(request, { id }), bytes);
    // The request that completed it may be cut off before it has counted the file.
    if (end) await this.#uses.received(request.hash, { id, length: end.length });
    return end;
  }

  #namingOf({ request }: RequestVisit, upload: RequestUpload, around: AroundReceived): Naming {
    return {
      onFirstByte: () => this.#uses.hold(request, upload),
      around: async (finish) => {
        // The place may have lapsed while the bytes came.
        await this.#uses.hold(request, upload);
        return await around(upload, finish);
      },
    };
  }

  async #noted(
    { hash }: FileRequest,
    upload: RequestUpload,
    state: UploadState,
  ): Promise<UploadState> {
    if (state.etag !== undefined) await this.#uses.received(hash, upload);
    return state;
  }

  /** Counts the files that have their names and that a kill has kept from being counted. */
  async noteEnded(): Promise<void> {
    for (const { hash, upload } of await this.#uses.listUploads()) {
      const { userId, id } = upload;
      const end = userId !== undefined && await this.#uploads.endOf({ userId, upload: id });
      if (end) await this.#uses.received(hash, upload);
    }
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
  throw new DomainError("wrong_content_type", `Cannot take the file: expected ${wanted}`);
}
