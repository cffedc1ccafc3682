import type { EntryPath } from "../../../shared/path.ts";
import { delay } from "../../../shared/delay.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { noGrowth } from "../../core/access/allowance.ts";
import type { Gate } from "../../core/access/gate.ts";
import type { FormerFiles } from "./commit_upload.ts";
import { assertFits, growthOf } from "./growth.ts";
import { findNamed, freePath } from "./free_path.ts";
import { type OpenPart, openPart, type PartBody, receivePart, targetPath } from "./part_file.ts";
import { holdReservation, VisitorReservation, visitorReservation } from "./part_reservation.ts";
import { countedBytes, PartWriter } from "./part_writer.ts";
import { TemporaryFile } from "./temporary_file.ts";
import { removePart } from "./temporaries.ts";
import { checkTarget } from "./upload.ts";
import { type Naming, notBegunError, type SentBytes, stateOf, UploadEnds } from "./upload_ends.ts";
import {
  type BegunBy,
  lengthOf,
  partEnd,
  type PartReservation,
  type Uploader,
  type UploadPart,
  type UploadParts,
  type UploadState,
} from "./upload_parts.ts";

/** A resumable upload that is to begin. */
export interface UploadDraft extends Uploader {
  path: EntryPath;
  /** The length of the whole file, in bytes. */
  length: number;
  override: boolean;
  /** The time that the file is to have, in milliseconds since 1970. */
  lastModified?: number;
  begun?: BegunBy;
}

/**
 * Uploads that are resumed where they broke off, after a lost connection, a killed server or on
 * another day: the bytes are in a hidden file beside the target, whose length says how many have
 * come, the rest is a record in the store. The target gets its name with the last byte, in one
 * step. Permissions and rules are checked by each call.
 *
 * An upload that has all its bytes counts as complete only once it has its name: until then each
 * call tries to give it the name, and throws the refusal.
 */
export class ResumableUploads {
  readonly #parts: UploadParts;
  readonly #gate: Gate;
  readonly #ends: UploadEnds;

  /** @param gate leads to files whose folders were moved, and to those of visitors */
  constructor(parts: UploadParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
    this.#ends = new UploadEnds(parts, gate);
  }

  /**
   * Begins an upload. One of the same user and path that was not completed is dropped, unless the new
   * one is refused.
   *
   * @param formerFiles keeps a file that is replaced at the end
   * @throws {DomainError} `exists`, `is_folder`, `forbidden`, `locked`, `not_a_file`, `disk_full`,
   * `over_quota`
   */
  async begin(
    access: Access,
    draft: UploadDraft,
    formerFiles?: FormerFiles,
  ): Promise<UploadState> {
    const { path, override, length } = draft;
    const action = `Cannot write "${path}"`;
    const isVisitors = draft.upload !== undefined;
    const target = access.create(isVisitors ? freePath(access, path) : path);
    if (target.existing && override) access.need(`Cannot replace "${path}"`, "modify");
    // A visitor's file gets a free name in the end.
    if (!isVisitors) checkTarget(target, { mayReplace: override }, action);
    const former = await this.#parts.get(draft, path);
    const come = former && this.#offset(access, former) || 0;
    await assertFits(target, length - come, action);
    const folders = target.missingParents;
    await using parents = !isVisitors && folders > 0
      ? await access.allowance?.reserve({ bytes: 0, files: folders }, action)
      : undefined;
    const { bytes, files } = await growthOf(target, length, formerFiles);
    const room = isVisitors
      ? await visitorReservation(access.allowance, { bytes: length, files }, action)
      : await holdReservation(
        access.allowance,
        { bytes, files: files - folders },
        action,
        former?.room,
      );
    // Only now, so that a refusal loses no bytes.
    if (former) await this.#drop(access, former, room);
    let isDone = false;
    try {
      const place = isVisitors ? target.topBelowRoot : target.folderBelowRoot;
      await access.journal?.remember(place);
      using folder = isVisitors ? target.openTop() : target.open();
      using temporary = new TemporaryFile(folder, action, target.fileMode);
      const { ino } = temporary.facts();
      const file = { folder: place, name: temporary.name, ino };
      if (!isVisitors) await target.sync(folder);
      const part = await this.#parts.put({ ...draft, ...file, room });
      temporary.keep();
      isDone = true;
      await parents?.settle({ bytes: 0, files: target.madeFolders });
      return { offset: 0, length: part.length, expires: part.expires };
    } finally {
      if (!isDone) {
        target.removeMadeParents();
        if (room) await access.allowance?.settle(room.ticket, noGrowth);
      }
    }
  }

  /**
   * Returns the upload offset. An upload that has all its bytes gets its name first. A complete one
   * is answered for an hour, unless its file is removed or replaced.
   *
   * @throws {DomainError} `not_found`, `forbidden`; of one that has all its bytes why it cannot get
   * its name, as {@link append}
   */
  async state(
    access: Access,
    uploader: Uploader,
    path: EntryPath,
    naming: Naming,
  ): Promise<UploadState> {
    const part = await this.#lookFor(uploader, path);
    if (!part) return await this.#ends.complete(access, uploader, path);
    const offset = this.#offset(access, part);
    if (offset !== part.length) {
      if (offset === null) return await this.#ends.named(access, part, { offset: part.length });
      return { offset, length: part.length, expires: part.expires };
    }
    return await this.#continue(access, part, { body: null, offset }, naming, true);
  }

  /**
   * The state of a visitor's upload that is complete, as long as that is known; null for another.
   *
   * @param bytes that are sent to it: only none at its end
   */
  async endOf(
    uploader: Uploader,
    bytes?: SentBytes,
  ): Promise<UploadState | null> {
    const end = await this.#ends.find(uploader, bytes);
    return end && stateOf(end);
  }

  /** The uploads that are not noted as complete. */
  async listUnfinished(): Promise<UploadPart[]> {
    return (await this.#parts.list()).filter(({ expires }) => expires > Date.now());
  }

  /**
   * How far an upload has got: `whole` has all its bytes but not its name, `named` only is not noted
   * as complete.
   *
   * @throws {DomainError} `forbidden`
   */
  stageOf(access: Access, part: UploadPart): "begun" | "whole" | "named" | "lost" {
    const offset = this.#offset(access, part);
    if (offset !== null) return offset === part.length ? "whole" : "begun";
    const named = findNamed(access, part.path, { ino: part.ino, length: lengthOf(part) });
    return named ? "named" : "lost";
  }

  /**
   * Adds bytes, and completes the upload with the last ones. An empty body at the end of an upload
   * that has all its bytes tries again to give it its name. Another request that sends the same
   * bytes is cut off.
   *
   * @throws {DomainError} `not_found`, `locked`, `wrong_offset`, `checksum_mismatch`,
   * `body_too_large`, `invalid_body` when they break off, `exists` when the name was taken
   * meanwhile; `disk_full`, `over_quota`, `forbidden`
   */
  async append(
    access: Access,
    uploader: Uploader,
    path: EntryPath,
    bytes: PartBody,
    naming: Naming,
  ): Promise<UploadState> {
    const part = await this.#lookFor(uploader, path);
    if (!part) return await this.#ends.complete(access, uploader, path, bytes);
    const offset = this.#offset(access, part);
    if (offset === null) return await this.#ends.named(access, part, bytes);
    // Only a request that knows all that has come takes the upload over from another.
    checkOffset(offset, bytes.offset, path);
    return await this.#continue(access, part, bytes, naming);
  }

  /**
   * Drops an upload with all that has come.
   *
   * @param isOwn whether its owner asks for it, who may also where a rule now denies the path
   * @throws {DomainError} `not_found`, `locked`, `forbidden`
   */
  async drop(access: Access, uploader: Uploader, path: EntryPath, isOwn = false): Promise<void> {
    const part = await this.#find(uploader, path);
    try {
      await this.#drop(access, part);
    } catch (error) {
      if (!(isOwn && error instanceof DomainError && error.code === "forbidden")) throw error;
      await this.dropLost(uploader, path);
    }
  }

  /** Drops an upload whose owner has lost the access to it, such as by a link that has ended. */
  async dropLost(uploader: Uploader, path: EntryPath): Promise<void> {
    const part = await this.#parts.get(uploader, path);
    if (!part) return;
    try {
      await using _ = await PartWriter.take(this.#parts, part);
      await removePart(this.#gate, this.#parts, part);
    } catch (error) {
      if (!(error instanceof DomainError && /^(?:not_found|locked)$/.test(error.code))) throw error;
      await removePart(this.#gate, this.#parts, part);
    }
  }

  /** @param kept the room that is not released, as another upload has taken it over */
  async #drop(access: Access, part: UploadPart, kept?: PartReservation): Promise<void> {
    access.create(targetPath(access, part));
    await using writer = await PartWriter.take(this.#parts, part);
    using open = openPart(access, this.#gate, writer.part);
    if (open) {
      await lockPart(open);
      open.temporary.keep(false);
    }
    const isKept = kept?.ticket === writer.part.room?.ticket;
    await this.#parts.remove(isKept ? { ...writer.part, room: undefined } : writer.part);
  }

  /** Adds bytes as the only writer. @param isPatient waits for another instead of ending it */
  async #continue(
    access: Access,
    part: UploadPart,
    bytes: PartBody,
    naming: Naming,
    isPatient = false,
  ): Promise<UploadState> {
    const unverifiedFrom = bytes.checksum && bytes.offset;
    try {
      await using writer = await PartWriter.take(this.#parts, part, { isPatient, unverifiedFrom });
      using open = openPart(access, this.#gate, writer.part);
      if (open) return await this.#write(access, writer, open, bytes, naming);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "not_found")) throw error;
      // The request that this one waited for may have completed the upload.
      if (await this.#parts.get(part, part.path)) throw error;
    }
    return await this.#ends.named(access, part, bytes);
  }

  async #write(
    access: Access,
    writer: PartWriter,
    open: OpenPart,
    bytes: PartBody,
    naming: Naming,
  ): Promise<UploadState> {
    const { temporary, action } = open;
    const { length, path } = writer.part;
    await lockPart(open);
    const { size } = temporary.facts();
    const counted = writer.countedBytes(size);
    if (counted < size) {
      temporary.truncate(counted);
      await writer.save({}, "begun");
    }
    checkOffset(counted, bytes.offset, path);
    await assertFits(open.target, length - counted, action);
    const room = await this.#receive(access, writer, open, bytes, naming);
    const offset = temporary.facts().size;
    const isWhole = offset === length;
    const part = await writer.save({ room, expires: partEnd() }, isWhole ? "whole" : "last");
    const state = { offset, length, expires: part.expires };
    if (!isWhole) return state;
    const etag = await naming.around(() => this.#ends.finish(access, part, open, naming));
    return { ...state, etag, path: naming.as };
  }

  /** @returns the room that is reserved for the upload then */
  async #receive(
    access: Access,
    writer: PartWriter,
    { target, temporary, action }: OpenPart,
    bytes: PartBody,
    { formerFiles, onFirstByte }: Naming,
  ): Promise<PartReservation | undefined> {
    const { part, signal } = writer;
    const { allowance } = access;
    const files = 1 + target.missingParents;
    const visitors = part.upload === undefined
      ? null
      : new VisitorReservation(allowance, part, files, action);
    // The quota may be newer than the upload, and its reservation lives only as long.
    const room = visitors ? visitors.room : await holdReservation(
      allowance,
      await growthOf(target, part.length, formerFiles),
      action,
      part.room,
    );
    if (visitors && room?.ticket !== part.room?.ticket) await writer.save({ room }, "begun");
    let isFirst = bytes.offset === 0;
    const admit = async (size: number) => {
      await writer.confirm();
      if (isFirst) await onFirstByte?.();
      isFirst = false;
      await visitors?.cover(size);
    };
    try {
      await receivePart(temporary, part, bytes, { admit, signal }, action);
    } finally {
      await visitors?.end(temporary.facts().size);
    }
    return room;
  }

  async #find(uploader: Uploader, path: EntryPath): Promise<UploadPart> {
    const part = await this.#lookFor(uploader, path);
    if (part) return part;
    throw notBegunError(path);
  }

  async #lookFor(uploader: Uploader, path: EntryPath): Promise<UploadPart | null> {
    const part = await this.#parts.get(uploader, path);
    return part && part.expires > Date.now() ? part : null;
  }

  /** How much of an upload has come; null when its file is gone. */
  #offset(access: Access, part: UploadPart): number | null {
    using open = openPart(access, this.#gate, part);
    return open && countedBytes(part, open.temporary.facts().size);
  }
}

/** How long, and how often, a process that still has the file open is waited for, in milliseconds. */
const maxWaitMs = 2_000;
const retryMs = 50;

async function lockPart({ temporary, action }: OpenPart): Promise<void> {
  for (let waited = 0; !temporary.lock(); waited += retryMs) {
    if (waited >= maxWaitMs) {
      throw new DomainError("locked", `${action}: another request is sending it`);
    }
    await delay(retryMs);
  }
}

function checkOffset(come: number, offset: number, path: EntryPath): void {
  if (come === offset) return;
  throw new DomainError("wrong_offset", `Cannot write "${path}": the upload offset is ${come}`);
}
