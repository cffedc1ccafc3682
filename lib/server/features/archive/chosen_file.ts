import type { Access } from "../../core/access/access.ts";
import { factsOf, type FileFacts } from "../../core/access/folder_handle.ts";
import type { FileHandle } from "../../core/access/file_handle.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { OpenFile } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";

/**
 * A file that the caller named itself. Unlike a file found by a walk it may be behind a symlink.
 */
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
   * Opens the file that is at the path now, possibly another than the one checked. The caller
   * closes it.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`
   */
  open(): OpenFile {
    return this.#handle.openSync();
  }

  /**
   * Returns the facts of the entry that is at the path now.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  look(): Facts {
    return this.#access.stat(this.path).info;
  }
}
