import { DomainError } from "../errors.ts";
import { FolderHandle } from "./folder_handle.ts";
import { isSameEntry } from "./identity.ts";
import type { Bounds, Locator, Place } from "./locator.ts";
import type { EntryPath } from "./path.ts";
import { pathBelow, type RealPath } from "./real_path.ts";

/** An entry that the viewer may copy or take away: the link, not what it leads to. */
export class SourceHandle {
  readonly path: EntryPath;
  /** The entry itself. For the rooms of lib/ alone: never shown. */
  readonly real: RealPath;
  readonly info: Deno.FileInfo;
  /** Those under which it was found. */
  readonly bounds: Bounds;
  protected readonly action: string;
  readonly #locator: Locator;

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
    this.bounds = place.bounds;
    this.action = action;
    this.#locator = locator;
  }

  /** A real folder; a link to one is not. */
  get isFolder(): boolean {
    return this.info.isDirectory;
  }

  /** The same entry as a path below the server root, whatever the scope: what is kept of it by path. */
  get belowRoot(): EntryPath {
    return pathBelow(this.real, this.#locator.spec.root);
  }

  /** The folder, to look at what is below it; only for a real one. */
  folder(): FolderHandle {
    const { path, real, info, bounds } = this;
    return new FolderHandle(this.#locator, path, real, info, bounds);
  }

  /**
   * Proves that the path still leads to this very entry.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  verify(): void {
    const { found } = this.#locator.locate(this.path, this.action);
    if (found.kind === "found" && found.real === this.real && isSameEntry(found.info, this.info)) {
      return;
    }
    throw new DomainError("not_found", `${this.action}: it was replaced`);
  }
}
