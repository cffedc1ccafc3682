import { closeSync } from "node:fs";
import type { Access } from "../access/access.ts";
import { factsOf, type FileFacts, hasChanged, isUnchanged } from "../access/child_file.ts";
import type { FileHandle } from "../access/file_handle.ts";
import type { EntryPath } from "../access/path.ts";

/** A file that the caller named itself. Unlike those met on a walk it may be reached by a link. */
export class ChosenFile {
  readonly facts: FileFacts;
  readonly #access: Access;
  readonly #handle: FileHandle;

  /** @throws {DomainError} `forbidden`, `not_found`, `not_a_file` */
  constructor(access: Access, path: EntryPath) {
    this.#access = access;
    this.#handle = access.read(path);
    this.facts = factsOf(this.#handle.info);
  }

  get path(): EntryPath {
    return this.#handle.path;
  }

  /**
   * A descriptor for `node:fs`, which the caller closes.
   *
   * @throws {DomainError} when the file is gone, or another than the facts describe
   */
  open(): number {
    const descriptor = this.#handle.openSync();
    // The handle takes a file that was put in the place of the first one; an archive does not.
    if (isUnchanged(factsOf(this.#handle.info), this.facts)) return descriptor;
    closeSync(descriptor);
    throw hasChanged(this.path);
  }

  /** @throws {DomainError} when the file is gone or has changed since it was looked at */
  prove(): void {
    if (!isUnchanged(factsOf(this.#access.stat(this.path).info), this.facts)) {
      throw hasChanged(this.path);
    }
  }
}
