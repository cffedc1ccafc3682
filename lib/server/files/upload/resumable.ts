import { createHash } from "node:crypto";
import type { EntryPath } from "../../../shared/path.ts";
import { delay } from "../../../shared/delay.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../access/access.ts";
import { noGrowth } from "../../access/allowance.ts";
import type { Gate } from "../../access/gate.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import { ifWritable } from "../../kv/if_writable.ts";
import { etagOf } from "../content/etag.ts";
import { commitFreeName } from "./commit_free_name.ts";
import { commitUpload, type FormerFiles } from "./commit_upload.ts";
import { growthBy, growthOf } from "./growth.ts";
import { IdleTimeout, mostStallMs } from "./idle_timeout.ts";
import { type OpenPart, openPart } from "./open_part.ts";
import { type Body, TemporaryFile } from "./temporary_file.ts";
import { removePart } from "./temporaries.ts";
import { checkTarget } from "./upload.ts";
import {
  type HeldRoom,
  makeTicket,
  type Uploader,
  type UploadPart,
  type UploadParts,
} from "./upload_parts.ts";

/** A resumable upload that is to begin. */
export interface UploadDraft extends Uploader {
  path: EntryPath;
  /** The length of the whole file, in bytes. */
  length: number;
  override: boolean;
  /** The time that the file is to have, in milliseconds since 1970. */
  lastModified?: number;
}

/** The next bytes of a resumable upload. */
export interface PartBody {
  body: Body | null;
  /** Where in the file they begin. */
  offset: number;
  /** Their number, if it is known. */
  expectedLength?: number;
  /** Their expected digest; without it all bytes that came count, also when they break off. */
  checksum?: { algorithm: string; digest: Uint8Array };
  signal?: AbortSignal;
}

/** The state of a resumable upload. */
export interface UploadState {
  /** Bytes that have come. */
  offset: number;
  /** The length of the whole file, in bytes. */
  length: number;
  /** When the unfinished upload expires, in milliseconds since 1970. */
  expires: number;
  /** The ETag of the file, once it is complete and has its name. */
  etag?: string;
}

/**
 * Uploads that go on where they were broken off, after a lost connection, a killed server or on
 * another day: the bytes are in a hidden file beside the target, whose length tells how many have
 * come, the rest is a record in the store. The target gets its name with the last byte, in one
 * step. Permissions and rules are asked anew by each call.
 */
export class ResumableUploads {
  readonly #parts: UploadParts;
  readonly #gate: Gate;

  /** @param gate leads to files whose folders were moved */
  constructor(parts: UploadParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
  }

  /**
   * Begins an upload. One of the same user and path that was not completed is dropped.
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
    const { path, override } = draft;
    const action = `Cannot write "${path}"`;
    const target = access.create(path);
    if (target.existing && override) access.need(`Cannot replace "${path}"`, "modify");
    // A visitor's file gets a free name in the end.
    if (draft.upload === undefined) checkTarget(target, { mayReplace: override }, action);
    const former = await this.#parts.get(draft, path);
    if (former) await this.#drop(access, former);
    const files = target.missingParents;
    await using parents = files > 0
      ? await access.allowance?.reserve({ bytes: 0, files }, action)
      : undefined;
    const room = await reserveRoom(access, target, { draft, formerFiles, action });
    let isDone = false;
    try {
      await access.journal?.remember(target.folderBelowRoot);
      using folder = target.open();
      using temporary = new TemporaryFile(folder, action, target.fileMode);
      const { ino } = temporary.facts();
      const place = { folder: target.folderBelowRoot, name: temporary.name, ino };
      await target.sync(folder);
      const part = await this.#parts.put({ ...draft, ...place, room });
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
   * How much of an upload has come.
   *
   * @throws {DomainError} `not_found`, `forbidden`
   */
  async state(access: Access, uploader: Uploader, path: EntryPath): Promise<UploadState> {
    const part = await this.#find(uploader, path);
    using open = await this.#open(access, part);
    const { length, expires } = part;
    return { offset: open.temporary.facts().size, length, expires };
  }

  /**
   * Adds bytes, and completes the upload with the last ones. An empty body at the end of a complete
   * upload tries again to give it its name.
   *
   * @param around called around the moment in which the file gets its name
   * @param formerFiles keeps a file that is replaced then
   * @throws {DomainError} `not_found`, `locked`, `wrong_offset`, `checksum_mismatch`,
   * `body_too_large`, `invalid_body` when they break off, `exists` when the name was taken
   * meanwhile; `disk_full`, `forbidden`
   */
  async append(
    access: Access,
    uploader: Uploader,
    path: EntryPath,
    bytes: PartBody,
    { around, formerFiles }: {
      around: (finish: () => Promise<string>) => Promise<string>;
      formerFiles?: FormerFiles;
    },
  ): Promise<UploadState> {
    const found = await this.#find(uploader, path);
    using open = await this.#open(access, found);
    const { target, temporary, action } = open;
    if (!temporary.lock()) throw locked(action);
    const { size } = temporary.facts();
    if (size !== bytes.offset) {
      throw new DomainError("wrong_offset", `${action}: ${size} bytes have come so far`);
    }
    // The quota may be newer than the upload, and its reservation lives only as long.
    const reservation = { draft: found, formerFiles, action };
    const room = await reserveRoom(access, target, reservation, found.room);
    const part = { ...found, room };
    await receive(temporary, part, bytes, action);
    const { expires } = await this.#parts.put(part);
    const offset = temporary.facts().size;
    if (offset < part.length) return { offset, length: part.length, expires };
    const etag = await around(() => this.#finish(access, part, open, formerFiles));
    return { offset, length: part.length, expires, etag };
  }

  /**
   * Drops an upload with all that has come.
   *
   * @throws {DomainError} `not_found`, `locked`, `forbidden`
   */
  async drop(access: Access, uploader: Uploader, path: EntryPath): Promise<void> {
    await this.#drop(access, await this.#find(uploader, path));
  }

  async #drop(access: Access, part: UploadPart): Promise<void> {
    try {
      using open = await this.#open(access, part);
      // A request that was just given up may need a moment to end.
      for (let waited = 0; !open.temporary.lock(); waited += retryMs) {
        if (waited >= mostWaitMs) throw locked(open.action);
        await delay(retryMs);
      }
      open.temporary.keep(false);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "not_found")) throw error;
    }
    await this.#parts.remove(part);
  }

  async #finish(
    access: Access,
    part: UploadPart,
    open: OpenPart,
    formerFiles?: FormerFiles,
  ): Promise<string> {
    const { target, folder, temporary, action } = open;
    const mayReplace = part.override && access.may("modify");
    const byVisitor = part.upload !== undefined;
    if (!byVisitor) checkTarget(target, { mayReplace }, action);
    if (part.lastModified !== undefined) temporary.setModified(part.lastModified);
    target.assertInPlace(folder);
    const kept = byVisitor
      ? await commitFreeName(access, part.path, temporary, folder)
      : await commitUpload(temporary, folder, target, { mayReplace, formerFiles }, action);
    const { size } = temporary.facts();
    const growth = byVisitor ? { bytes: size, files: 1 } : growthBy(target, size, kept);
    if (part.room) await access.allowance?.settle(part.room.ticket, growth);
    await target.sync(folder);
    await ifWritable(() => this.#parts.remove(part));
    return etagOf(temporary.facts());
  }

  async #find(uploader: Uploader, path: EntryPath): Promise<UploadPart> {
    const part = await this.#parts.get(uploader, path);
    if (part && part.expires > Date.now()) return part;
    throw new DomainError("not_found", `Cannot go on with "${path}": no upload has begun`);
  }

  /** @throws {DomainError} `not_found` when its file or its folder is gone; it is dropped then */
  async #open(access: Access, part: UploadPart): Promise<OpenPart> {
    const action = `Cannot write "${part.path}"`;
    const target = access.create(part.path);
    const isInPlace = !target.lacksParents && target.folderBelowRoot === part.folder;
    const open = isInPlace ? openPart(target, part, action) : null;
    if (open) return open;
    await removePart(this.#gate, this.#parts, part);
    throw new DomainError("not_found", `Cannot go on with "${part.path}": its folder has changed`);
  }
}

/** Reserves room for the whole file without its folders, if the viewer has a quota. */
async function reserveRoom(
  { allowance }: Access,
  target: WriteHandle,
  { draft, formerFiles, action }: {
    draft: Pick<UploadDraft, "length">;
    formerFiles?: FormerFiles;
    action: string;
  },
  former?: HeldRoom,
): Promise<HeldRoom | undefined> {
  if (!allowance) return former;
  const { area } = allowance;
  const ticket = former?.area === area ? former.ticket : makeTicket();
  const { bytes, files } = await growthOf(target, draft.length, formerFiles);
  await allowance.hold({ bytes, files: files - target.missingParents }, action, ticket);
  return { area, ticket };
}

/** How long, and how often, the end of another request is waited for, in milliseconds. */
const mostWaitMs = 2_000;
const retryMs = 50;

function locked(action: string): DomainError {
  return new DomainError("locked", `${action}: another request is sending it`);
}

async function receive(
  temporary: TemporaryFile,
  { length }: UploadPart,
  { body, offset, expectedLength, checksum, signal }: PartBody,
  action: string,
): Promise<void> {
  const room = length - offset;
  const tooLarge = () =>
    new DomainError("body_too_large", `${action}: it is longer than the ${length} bytes announced`);
  if ((expectedLength ?? 0) > room) throw tooLarge();
  const hash = checksum && createHash(checksum.algorithm);
  let count = 0;
  const checked = body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        count += chunk.length;
        if (count > room) return controller.error(tooLarge());
        hash?.update(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
  using watch = new IdleTimeout(() => count, mostStallMs, signal);
  try {
    const options = { start: offset, expectedLength, signal: watch.signal };
    await temporary.fill(checked ?? null, action, options);
  } catch (error) {
    if (checksum || count > room) temporary.truncate(offset);
    throw error;
  }
  if (!checksum || !hash || isEqual(hash.digest(), checksum.digest)) return;
  temporary.truncate(offset);
  throw new DomainError("checksum_mismatch", `${action}: these bytes came damaged`);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
