import type { Facts } from "../disk/facts.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type FolderPlace, openFolder, visibilityOf } from "./folder_visibility.ts";
import type { Locator } from "./locator.ts";
import type { Bounds } from "./scopes.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import { realChild, type RealPath } from "../disk/real_path.ts";
import type { DiskSpelling } from "./disk_spelling.ts";

/** The destination folder of a copy or move: an existing or a new one. */
export class DestinationFolder implements FolderPlace {
  readonly #allows: (name: string) => boolean;
  readonly #spelling: DiskSpelling;

  private constructor(
    readonly locator: Locator,
    readonly path: EntryPath,
    readonly real: RealPath,
    readonly bounds: Bounds,
    /** Facts about the folder; null for a new one. */
    readonly info: Facts | null,
    spelling: DiskSpelling,
    readonly action: string,
  ) {
    locator.readOnly.assertWritable(real, bounds, action);
    using folder = info && locator.visibility().hasRules ? openFolder(this) : null;
    const open = folder && { folder, entries: folder.entries() };
    const { allows, caseInsensitive } = visibilityOf(this, spelling, open);
    this.#allows = (name) => allows({ name, ino: 0 });
    this.#spelling = { real: spelling.real, caseInsensitive };
  }

  /**
   * The folder at a path that is free or holds a real folder.
   *
   * @throws {DomainError} `forbidden`
   */
  static at(locator: Locator, path: EntryPath, action: string): DestinationFolder {
    const { found, bounds } = locator.locate(path, action, "itself");
    if (found.kind === "found") {
      const info = found.info.isDirectory ? found.info : null;
      const spelling = locator.spelling(found.real, bounds);
      return new DestinationFolder(locator, path, found.real, bounds, info, spelling, action);
    }
    const real = found.names.reduce(realChild, found.folder);
    const known = found.isBlocked ? null : locator.spelling(found.folder, bounds);
    const spelling = known
      ? { real: found.names.reduce(realChild, known.real), caseInsensitive: known.caseInsensitive }
      : { real, caseInsensitive: false };
    return new DestinationFolder(locator, path, real, bounds, null, spelling, action);
  }

  /** A folder in this one, new or existing. */
  below(name: string): DestinationFolder {
    const { locator, bounds, action } = this;
    const spelling = {
      real: realChild(this.#spelling.real, name),
      caseInsensitive: this.#spelling.caseInsensitive,
    };
    const real = realChild(this.real, name);
    const there = this.entry(name);
    const info = there?.isDirectory ? there : null;
    return new DestinationFolder(
      locator,
      childOf(this.path, name),
      real,
      bounds,
      info,
      spelling,
      action,
    );
  }

  /**
   * Checks an entry by its name.
   *
   * @throws {DomainError} `forbidden` when the viewer could not know of it there
   */
  admit(name: string): void {
    this.locator.readOnly.assertWritable(realChild(this.real, name), this.bounds, this.action);
    if (this.#allows(name)) return;
    throw new DomainError("forbidden", `${this.action}: access is denied at the destination`);
  }

  /**
   * The entry of that name, not following a link; null when there is none.
   *
   * @throws {DomainError} `forbidden` for a link whose target may not be known
   */
  entry(name: string): Facts | null {
    const info = this.info && disk.look(realChild(this.real, name));
    if (info?.isSymlink) this.locator.locate(childOf(this.path, name), this.action, "itself");
    return info;
  }
}
