import type { Access } from "../../../core/access/access.ts";
import type { FileHandle } from "../../../core/access/file_handle.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { OpenFile } from "../../../core/disk/disk.ts";
import type { Facts } from "../../../core/disk/facts.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { modifiedOf } from "../../../files/listing/entries.ts";
import { isAmbiguous } from "../../../files/content/types.ts";
import { noPicture, NoPreview, noProgram, tooLarge } from "./no_preview.ts";
import { maxFileBytes, type PreviewFormat, type PreviewSize } from "./preview.ts";
import { methodOf, type PreviewMethod } from "./preview_method.ts";
import { isSameState, previewKey } from "./preview_key.ts";

/** The requested preview, and its viewer. */
export interface PreviewRequest {
  access: Access;
  path: EntryPath;
  size: PreviewSize;
  format: PreviewFormat;
  /** Which methods can be used. */
  can(method: PreviewMethod): boolean;
}

/** Memory for a file of which parts are read, in bytes. */
const partsBytes = 8 * 2 ** 20;

/** The file has changed since its facts were read: retry. */
export class SourceChanged extends Error {
  override readonly name = "SourceChanged";
}

/** A file, with its facts as read for one viewer. */
export class PreviewSource {
  readonly request: PreviewRequest;
  /** The cache key of the preview. */
  readonly key: string;
  /** The file's name. */
  readonly name: string;
  readonly modified: Date;
  readonly #handle: FileHandle;
  readonly #info: Facts;
  readonly #isRead: boolean;

  /**
   * Reads the facts of a file without opening it.
   *
   * @throws DomainError `forbidden`, `not_found`, `is_folder`, `not_a_file`; `not_supported` by
   * name or length
   */
  constructor(request: PreviewRequest) {
    const { access, path, size, format } = request;
    this.request = request;
    this.#handle = access.read(path);
    this.#info = this.#handle.info;
    this.name = this.#handle.name;
    this.modified = modifiedOf(this.#info);
    const method = methodOf(this.name);
    // Its content may tell that it is another kind of picture.
    const isOpen = method === "converted" || method === null && isAmbiguous(this.name);
    if (!isOpen && !(method && request.can(method))) {
      throw this.refusalError(method ? noProgram : noPicture);
    }
    if (this.#info.size === 0) throw this.refusalError("it is empty");
    this.#isRead = method === "picture" || isOpen;
    if (method === "picture" && this.length > maxFileBytes) throw this.refusalError(tooLarge);
    this.key = previewKey({ real: this.#handle.real, info: this.#info }, size, format);
  }

  /** The length of the file, in bytes. */
  get length(): number {
    return this.#info.size;
  }

  /** Memory that reading it takes, in bytes. */
  get cost(): number {
    return this.#isRead ? Math.min(this.length, maxFileBytes) : Math.min(this.length, partsBytes);
  }

  /** The error for this file. */
  refusalError(reason: string): DomainError {
    return new DomainError(
      "not_supported",
      `Cannot make a preview of "${this.request.path}": ${reason}`,
    );
  }

  /**
   * Opens the file through the gate; the caller closes it.
   *
   * @throws SourceChanged when it was replaced, changed or removed
   */
  open(): OpenFile {
    const file = this.#open();
    if (this.isUnchanged(file)) return file;
    file[Symbol.dispose]();
    throw new SourceChanged();
  }

  /** Whether the open file is in the state in which it was found. */
  isUnchanged(file: OpenFile): boolean {
    return isSameState(file.facts(), this.#info);
  }

  /**
   * Reads the whole file.
   *
   * @throws NoPreview when it is too large; SourceChanged; the signal's reason
   */
  async read(file: OpenFile, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (this.length > maxFileBytes) throw new NoPreview(tooLarge);
    const bytes = await readExactly(file, this.length, signal);
    if (!bytes) throw new SourceChanged();
    return bytes;
  }

  #open(): OpenFile {
    try {
      return this.#handle.openSync();
    } catch (error) {
      // Each waiting caller finds the actual error by its own retry.
      throw error instanceof DomainError ? new SourceChanged() : error;
    }
  }
}

/**
 * Reads a whole open file into a new buffer.
 *
 * @param size the expected length
 * @returns null when the file is shorter now
 * @throws the signal's reason
 */
async function readExactly(
  file: OpenFile,
  size: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(size);
  for (let done = 0; done < size;) {
    const read = await file.readLater(bytes.subarray(done), done);
    signal.throwIfAborted();
    if (read === 0) return null;
    done += read;
  }
  return bytes;
}
