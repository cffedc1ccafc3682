import type { Access } from "../access/access.ts";
import { factsOf, type FileFacts } from "../access/child_file.ts";
import type { FileHandle } from "../access/file_handle.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { OpenFile } from "../disk/disk.ts";
import type { Facts } from "../disk/facts.ts";

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
   * Opens what is at the path now, which may be another file than the one looked at. The caller
   * closes it.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`
   */
  open(): OpenFile {
    return this.#handle.openSync();
  }

  /**
   * Facts about what is at the path now.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  look(): Facts {
    return this.#access.stat(this.path).info;
  }
}
