import { DomainError } from "../errors.ts";
import { FolderHandle } from "./folder_handle.ts";
import { isSameEntry } from "./identity.ts";
import type { Locator, Place } from "./locator.ts";
import { lstatIfThere } from "./lstat.ts";
import { asRefusal } from "./os_errors.ts";
import type { EntryPath } from "./path.ts";
import type { RealPath } from "./real_path.ts";

/** An entry that the viewer may take away from where it is: the link, not what it leads to. */
export class RemovalHandle {
  readonly path: EntryPath;
  /** The entry itself. For the rooms of lib/ alone: never shown. */
  readonly real: RealPath;
  readonly info: Deno.FileInfo;
  readonly #locator: Locator;
  readonly #place: Place;
  readonly #action: string;

  /** @throws {DomainError} `not_found`; `forbidden` for the root of the scope */
  constructor(locator: Locator, place: Place, action: string) {
    if (place.path === "/") {
      throw new DomainError("forbidden", `${action}: it is the root of the scope`);
    }
    if (place.found.kind === "missing") {
      throw new DomainError("not_found", `${action}: it is not there`);
    }
    this.path = place.path;
    this.real = place.found.real;
    this.info = place.found.info;
    this.#locator = locator;
    this.#place = place;
    this.#action = action;
  }

  /** A real folder; a link to one is not. */
  get isFolder(): boolean {
    return this.info.isDirectory;
  }

  /** The folder, to look at what is below it; only for a real one. */
  folder(): FolderHandle {
    const { path, real, info } = this;
    return new FolderHandle(this.#locator, path, real, info, this.#place.bounds);
  }

  /**
   * Proves that the path still leads to this very entry.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  verify(): void {
    const { found } = this.#locator.locate(this.path, this.#action);
    if (found.kind === "found" && found.real === this.real && isSameEntry(found.info, this.info)) {
      return;
    }
    throw new DomainError("not_found", `${this.#action}: it was replaced`);
  }

  /** Removes the entry, when it is no folder. A link goes, its target stays. */
  removeSingle(): void {
    this.verify();
    try {
      if (lstatIfThere(this.real)?.isDirectory) throw new Deno.errors.NotFound();
      Deno.removeSync(this.real);
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
  }
}
