import type { Access } from "../access/access.ts";
import type { FileHandle } from "../access/file_handle.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { OpenFile } from "../disk/disk.ts";
import type { Facts } from "../disk/facts.ts";
import { DomainError } from "../../shared/errors.ts";
import { modifiedOf } from "../files/listing/entries.ts";
import { typeOfName } from "../files/content/types.ts";
import { tooLarge } from "./no_preview.ts";
import { mostFileBytes, type PreviewFormat, type PreviewSize } from "./preview.ts";
import { isSameState, previewKey } from "./preview_key.ts";
import { readExactly } from "./read_exactly.ts";

/** The requested preview, and its viewer. */
export interface PreviewRequest {
  access: Access;
  path: EntryPath;
  size: PreviewSize;
  format: PreviewFormat;
}

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
    const type = typeOfName(this.name);
    if (type !== undefined && type !== "image") throw this.refusal("it is no picture");
    if (this.#info.size === 0) throw this.refusal("it is empty");
    if (this.#info.size > mostFileBytes) throw this.refusal(tooLarge);
    this.key = previewKey({ real: this.#handle.real, info: this.#info }, size, format);
  }

  /** The length of the file, in bytes. */
  get length(): number {
    return this.#info.size;
  }

  /** The error for this file. */
  refusal(reason: string): DomainError {
    return new DomainError(
      "not_supported",
      `Cannot make a preview of "${this.request.path}": ${reason}`,
    );
  }

  /**
   * Reads the file through the gate.
   *
   * @throws SourceChanged when it was replaced, changed or removed; the signal's reason
   */
  async read(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    signal.throwIfAborted();
    using file = this.#open();
    if (!isSameState(file.facts(), this.#info)) throw new SourceChanged();
    const bytes = await readExactly(file, this.length, signal);
    if (!bytes || !isSameState(file.facts(), this.#info)) throw new SourceChanged();
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
