import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import { bestEffort } from "../../core/kv/best_effort.ts";
import { etagOf } from "../content/open_content.ts";
import { commitFreeName, commitUpload, type FormerFiles } from "./commit_upload.ts";
import type { FinishedUpload } from "./finished_uploads.ts";
import { findNamed } from "./free_path.ts";
import { growthBy } from "./growth.ts";
import type { OpenPart, PartBody } from "./part_file.ts";
import { removePart } from "./temporaries.ts";
import { checkTarget } from "./upload.ts";
import {
  lengthOf,
  type Uploader,
  type UploadPart,
  type UploadParts,
  type UploadState,
} from "./upload_parts.ts";

/** How an upload that has all its bytes gets its name. */
export interface Naming {
  /** Called around the moment in which the file gets its name. */
  around(finish: () => Promise<string>): Promise<string>;
  /** Called with the first byte of the whole file, before it is written; throws to refuse it. */
  onFirstByte?: () => Promise<void>;
  /** Keeps a file that is replaced then. */
  formerFiles?: FormerFiles;
  /** A file of the same name may be replaced, whatever was said at the beginning. */
  override?: boolean;
  /** Another path in the same folder that the file gets instead. */
  as?: EntryPath;
}

/** Where the bytes of a request begin, and how many they are. */
export type SentBytes = Pick<PartBody, "offset" | "expectedLength">;

/**
 * How resumable uploads end: the file gets its name, and a client that has not got the answer to
 * its last bytes gets it later.
 */
export class UploadEnds {
  readonly #parts: UploadParts;
  readonly #gate: Gate;

  constructor(parts: UploadParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
  }

  /**
   * Gives the name to a file that has all its bytes.
   *
   * @returns its ETag
   * @throws {DomainError} `exists` when the name was taken meanwhile; `forbidden`, `disk_full`
   */
  async finish(
    access: Access,
    part: UploadPart,
    { target: own, folder, temporary, action }: OpenPart,
    { formerFiles, override = false, as }: Naming,
  ): Promise<string> {
    if (part.lastModified !== undefined) temporary.setModified(part.lastModified);
    const { size } = temporary.facts();
    let growth = { bytes: size, files: 1 };
    if (part.upload !== undefined) {
      growth.files += await commitFreeName(access, part.path, temporary);
    } else {
      const target = as === undefined ? own : access.create(as);
      if (override) access.need(`Cannot replace "${target.path}"`, "modify");
      const mayReplace = as === undefined && (part.override || override) && access.may("modify");
      checkTarget(target, { mayReplace }, action);
      target.assertInPlace(folder);
      const options = { mayReplace, formerFiles };
      growth = growthBy(
        target,
        size,
        await commitUpload(temporary, folder, target, options, action),
      );
      await target.sync(folder);
    }
    if (part.room) await access.allowance?.settle(part.room.ticket, growth);
    await bestEffort(() => this.#parts.finish(part));
    return etagOf(temporary.facts());
  }

  /**
   * Finds the end of an upload, as long as it is known.
   *
   * @param bytes that are sent to it: only none at its end
   */
  async find(
    upload: Uploader & Partial<Pick<UploadPart, "path">>,
    bytes?: SentBytes,
  ): Promise<FinishedUpload | null> {
    const end = await this.#parts.end(upload);
    return end && (!bytes || isAtEnd(bytes, end.length)) ? end : null;
  }

  /**
   * The state of an upload that is complete, whose client has not got the answer to the last bytes.
   *
   * @throws {DomainError} `not_found`, also when another file has the name, and for bytes
   */
  async complete(
    access: Access,
    uploader: Uploader,
    path: EntryPath,
    bytes?: SentBytes,
  ): Promise<UploadState> {
    const end = await this.find({ ...uploader, path }, bytes);
    if (!end) throw notBegunError(path);
    if (uploader.upload !== undefined) return stateOf(end);
    const named = findNamed(access, path, end);
    if (!named) throw notBegunError(path);
    return { ...stateOf(end), ...named };
  }

  /**
   * The state of an upload whose file is gone: it may have its name already, if that could not be
   * noted. Otherwise it is dropped.
   *
   * @throws {DomainError} `not_found`, also for bytes that were not taken
   */
  async named(
    access: Access,
    part: UploadPart,
    { offset }: Pick<PartBody, "offset">,
  ): Promise<UploadState> {
    const { path, expires } = part;
    const length = lengthOf(part);
    const named = findNamed(access, path, { ino: part.ino, length });
    if (!named) {
      await removePart(this.#gate, this.#parts, part);
      throw notBegunError(path);
    }
    // Which file it has replaced is not known: its area is counted again.
    if (await this.#parts.get(part, path)) await bestEffort(() => this.#parts.finish(part, true));
    if (offset !== part.length) throw notBegunError(path);
    return { offset, length, expires, ...named };
  }
}

/** The state of an upload that has ended. */
export function stateOf({ length, expires }: FinishedUpload): UploadState {
  return { offset: length, length, expires };
}

function isAtEnd({ offset, expectedLength = 0 }: SentBytes, length: number): boolean {
  return offset === length && expectedLength === 0;
}

/** The error for an upload that was not begun, or has ended and is no longer known. */
export function notBegunError(path: EntryPath): DomainError {
  return new DomainError("not_found", `Cannot resume "${path}": no upload in progress`);
}
