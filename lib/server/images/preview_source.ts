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
import { readWhole } from "./read_whole.ts";

/** Which preview is wanted, and by whom. */
export interface PreviewRequest {
  access: Access;
  path: EntryPath;
  size: PreviewSize;
  format: PreviewFormat;
}

/** The file is not any more what it was when it was looked at: look again. */
export class SourceChanged extends Error {
  override readonly name = "SourceChanged";
}

/** A file as it was when one viewer looked at it. */
export class PreviewSource {
  readonly request: PreviewRequest;
  /** The name of the preview in the cache. */
  readonly key: string;
  /** The file's name. */
  readonly name: string;
  readonly modified: Date;
  readonly #handle: FileHandle;
  readonly #info: Facts;

  /**
   * Looks at a file without opening it.
   *
   * @throws DomainError `forbidden`, `not_found`, `is_folder`, `not_a_file`; `not_supported` for
   * what its name or its length says enough of
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

  /** How long the file is, in bytes. */
  get length(): number {
    return this.#info.size;
  }

  /** How this file is refused. */
  refusal(reason: string): DomainError {
    return new DomainError(
      "not_supported",
      `Cannot make a preview of "${this.request.path}": ${reason}`,
    );
  }

  /**
   * Reads the file through the gate.
   *
   * @throws SourceChanged when it is another one by now, or gone; the signal's reason
   */
  async read(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    signal.throwIfAborted();
    using file = this.#open();
    if (!isSameState(file.facts(), this.#info)) throw new SourceChanged();
    const bytes = await readWhole(file, this.length, signal);
    if (!bytes || !isSameState(file.facts(), this.#info)) throw new SourceChanged();
    return bytes;
  }

  #open(): OpenFile {
    try {
      return this.#handle.openSync();
    } catch (error) {
      // Why it can't be opened is told to each who waits by what their own next look finds.
      throw error instanceof DomainError ? new SourceChanged() : error;
    }
  }
}
