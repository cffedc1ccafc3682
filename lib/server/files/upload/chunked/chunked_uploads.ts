import { DomainError } from "../../../../shared/errors.ts";
import { type EntryPath, ROOT } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";
import { noGrowth } from "../../../core/access/allowance.ts";
import type { Gate } from "../../../core/access/gate.ts";
import { SERVER } from "../../../core/access/viewer.ts";
import type { WriteHandle } from "../../../core/access/write_handle.ts";
import type { FormerFiles } from "../commit_upload.ts";
import { findNamed } from "../free_path.ts";
import { assertRoom } from "../growth.ts";
import { chunksReservation } from "../part_reservation.ts";
import { PartWriter } from "../part_writer.ts";
import { TemporaryFile } from "../temporary_file.ts";
import { removePart } from "../temporaries.ts";
import { checkTarget } from "../upload.ts";
import type { UploadChunk } from "../upload_chunks.ts";
import { notBegunError, UploadEnds } from "../upload_ends.ts";
import {
  type BegunBy,
  partEnd,
  unknownLength,
  type UploadPart,
  type UploadParts,
} from "../upload_parts.ts";
import { assembleChunks, type ChunkedEnd, type ChunkedFile } from "./assemble_chunks.ts";
import { openChunkFile, receiveChunk, type SentChunk } from "./chunk_file.ts";
import { actionOn, placeChunk, totalLength, writtenNow } from "./chunk_places.ts";
import { RunningDigests } from "./running_digests.ts";
import { reachesFolder, stagingFolder } from "./staging_folder.ts";

/** The owner of an upload in chunks, and the name that the client gave it. */
export interface ChunkedUploader {
  userId: number;
  chunks: string;
  /** The API token that asks: one does not continue what another has begun. */
  tokenId?: string;
}

/** An upload in chunks that is to begin. */
interface ChunkedDraft extends Omit<ChunkedUploader, "tokenId"> {
  /** The target, if it is known: the bytes are received beside it. */
  path?: EntryPath;
  /** The length of the whole file, in bytes, if it is known. */
  length?: number;
  begun: BegunBy;
}

/**
 * Uploads in chunks of any order, each with a name that is a number or an offset, as clients of
 * Nextcloud and ownCloud send them. All chunks are written into one hidden file beside the target,
 * at the place that they have in the end, if that is known when they come: then the file gets its
 * name without a second copy of the bytes. A chunk counts once it is on the disk as a whole. Other
 * parts of such an upload are as of {@link ResumableUploads}.
 */
export class ChunkedUploads {
  readonly #parts: UploadParts;
  readonly #gate: Gate;
  readonly #ends: UploadEnds;
  readonly #digests = new RunningDigests();

  constructor(parts: UploadParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
    this.#ends = new UploadEnds(parts, gate);
  }

  /**
   * Begins an upload.
   *
   * @returns whether it has begun: false where one of the same name has not ended
   * @throws {DomainError} `exists`, `is_folder`, `forbidden`, `not_a_file`, `read_only`,
   * `disk_full`, `over_quota`
   */
  async begin(access: Access, draft: ChunkedDraft, formerFiles?: FormerFiles): Promise<boolean> {
    const { length: announced, path = ROOT, ...owner } = draft;
    const former = await this.#parts.get(owner, ROOT);
    if (former && former.expires > Date.now()) return false;
    if (former) await removePart(this.#gate, this.#parts, former);
    const action = path === ROOT ? "Cannot begin the upload" : `Cannot write "${path}"`;
    const target = draft.path === undefined ? null : targetOf(access, path, action);
    const folderBelowRoot = target?.folderBelowRoot ?? stagingFolder(access, action);
    using folder = target?.open() ?? this.#gate.enter(SERVER).folder(folderBelowRoot).open();
    await assertRoom(folder, announced ?? 0, action);
    const room = await chunksReservation(access, { path, announced }, 0, action, formerFiles);
    let isDone = false;
    try {
      await access.journal?.remember(folderBelowRoot);
      using temporary = new TemporaryFile(folder, action, target?.fileMode);
      await folder.sync();
      await this.#parts.put({
        ...{ ...owner, path, folder: folderBelowRoot, name: temporary.name },
        ...{ ino: temporary.facts().ino, length: unknownLength, announced, override: true, room },
      });
      temporary.keep();
      isDone = true;
      return true;
    } finally {
      if (!isDone && room) await access.allowance?.settle(room.ticket, noGrowth);
    }
  }

  /**
   * Receives a chunk, which replaces one of the same name.
   *
   * @returns whether it is a new one
   * @throws {DomainError} `not_found`, `locked`, `body_too_large`, `invalid_body`, `disk_full`,
   * `over_quota`, `forbidden`
   */
  async receive(access: Access, uploader: ChunkedUploader, chunk: SentChunk): Promise<boolean> {
    const part = await this.#find(access, uploader);
    if (part.isAssembled) throw new DomainError("locked", `${actionOn(part)}: it is being written`);
    let bytes = chunk.length;
    await using writer = await PartWriter.take(this.#parts, part, {
      placeChunk: async (now) => {
        const come = await this.#parts.chunks.list(now);
        const others = [...come, ...writtenNow(now)].filter(({ name }) => name !== chunk.name);
        bytes = totalLength(others) + chunk.length;
        return placeChunk(now, others, chunk);
      },
    });
    const place = writer.chunk;
    using open = openChunkFile(access, this.#gate, writer.part, "shared");
    if (!open || !place) throw notBegunError(part.path);
    await assertRoom(open.folder, chunk.length, open.action);
    const room = await chunksReservation(access, writer.part, bytes, open.action);
    // What has come of it so far is overwritten.
    const isNew = !await this.#parts.chunks.has(part, chunk.name);
    if (!isNew) await this.#parts.chunks.remove(part, chunk.name);
    const digest = this.#digests.follow(part, place);
    await receiveChunk(open, chunk, place, { writer, digest });
    await writer.confirm();
    const at = Date.now();
    await writer.save({ room, expires: partEnd() }, "last", (operation) => {
      return this.#parts.chunks.add(operation, part, place, at);
    });
    if (digest) this.#digests.add(part, { ...place, at }, digest);
    return isNew;
  }

  /**
   * The chunks that have come, in their order.
   *
   * @throws {DomainError} `not_found`
   */
  async list(access: Access, uploader: ChunkedUploader): Promise<UploadChunk[]> {
    return await this.#parts.chunks.list(await this.#find(access, uploader));
  }

  /** The names of the uploads that have not ended. */
  async names({ userId, tokenId }: Omit<ChunkedUploader, "chunks">): Promise<string[]> {
    const own = (await this.#parts.list(userId)).filter(({ chunks, begun, expires }) =>
      chunks !== undefined && begun?.tokenId === tokenId && expires > Date.now()
    );
    return own.flatMap(({ chunks }) => chunks ?? []);
  }

  /**
   * Drops a chunk.
   *
   * @throws {DomainError} `not_found`, `locked`
   */
  async remove(access: Access, uploader: ChunkedUploader, name: string): Promise<void> {
    const part = await this.#find(access, uploader);
    const found = (await this.#parts.chunks.list(part)).find((chunk) => chunk.name === name);
    if (!found || part.isAssembled) throw notBegunError(part.path);
    const { start, length } = found;
    const placeChunk = () => Promise.resolve({ name, start, length });
    await using _ = await PartWriter.take(this.#parts, part, { placeChunk });
    await this.#parts.chunks.remove(part, name);
  }

  /**
   * Drops an upload with all its chunks.
   *
   * @throws {DomainError} `not_found`, `locked`
   */
  async drop(access: Access, uploader: ChunkedUploader): Promise<void> {
    const part = await this.#find(access, uploader);
    await using writer = await PartWriter.take(this.#parts, part);
    await removePart(this.#gate, this.#parts, writer.part);
  }

  /**
   * Makes the chunks a file. Of one that was complete already, whose client has not got the answer,
   * that is told again for an hour.
   *
   * @throws {DomainError} `not_found`; `invalid_body` when the lengths of the chunks are another in
   * all than expected; `checksum_mismatch`, `exists`, `is_folder`, `not_a_file`, `forbidden`,
   * `locked`, `disk_full`, `over_quota`
   */
  async finish(access: Access, uploader: ChunkedUploader, end: ChunkedEnd): Promise<ChunkedFile> {
    const { path } = end;
    const part = await this.#lookFor(access, uploader);
    if (!part) return { etag: await this.#completed(access, uploader, path) };
    try {
      await using writer = await PartWriter.take(this.#parts, part, { isPatient: true });
      using open = openChunkFile(access, this.#gate, writer.part, "exclusive");
      const stores = { parts: this.#parts, digests: this.#digests };
      if (open) return await assembleChunks(stores, access, writer, open, end);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "not_found")) throw error;
      // The request that this one waited for may have completed the upload.
      if (await this.#parts.get(part, path)) throw error;
      return { etag: await this.#completed(access, uploader, path) };
    }
    const offset = part.length;
    const { etag = "" } = await this.#ends.named(access, { ...part, path }, { offset });
    return { etag };
  }

  /**
   * The ETag of a file that an upload has become, as long as that is known; null where it is not
   * complete.
   *
   * @throws {DomainError} `not_found` for one that is not known at all
   */
  async findDone(
    access: Access,
    uploader: ChunkedUploader,
    path: EntryPath,
  ): Promise<string | null> {
    const part = await this.#lookFor(access, uploader);
    if (!part) return await this.#completed(access, uploader, path);
    if (part.path === ROOT || part.announced === undefined) return null;
    const named = findNamed(access, path, { ino: part.ino, length: part.announced });
    return named?.etag ?? null;
  }

  /** The ETag of the file. @throws {DomainError} `not_found` */
  async #completed(access: Access, uploader: ChunkedUploader, path: EntryPath): Promise<string> {
    const { etag = "" } = await this.#ends.complete(access, uploader, path);
    return etag;
  }

  async #find(access: Access, uploader: ChunkedUploader): Promise<UploadPart> {
    const part = await this.#lookFor(access, uploader);
    if (part) return part;
    throw new DomainError("not_found", "Cannot continue the upload: no upload in progress");
  }

  /** The upload, if it is the uploader's and the viewer reaches its folder. */
  async #lookFor(access: Access, uploader: ChunkedUploader): Promise<UploadPart | null> {
    const part = await this.#parts.get(uploader, ROOT);
    const isOwn = part && part.expires > Date.now() && part.begun?.tokenId === uploader.tokenId;
    return isOwn && reachesFolder(access, part.folder) ? part : null;
  }
}

/** The target of an upload that is to begin. */
function targetOf(access: Access, path: EntryPath, action: string): WriteHandle {
  const target = access.write(path);
  if (target.existing) access.need(`Cannot replace "${path}"`, "modify");
  checkTarget(target, { mayReplace: true }, action);
  return target;
}
