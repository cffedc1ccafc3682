import { DomainError } from "../errors.ts";
import { entriesOf, type FolderPlace, sightOf } from "./folder_sight.ts";
import { isSameEntry } from "./identity.ts";
import type { Bounds, Locator } from "./locator.ts";
import { lstatIfThere } from "./lstat.ts";
import { childOf, type EntryPath } from "./path.ts";
import { realChild, realParent, type RealPath } from "./real_path.ts";
import { followText } from "./resolve.ts";
import type { Spelling } from "./spelling.ts";

/** A folder that entries come into by being copied or moved: one that is there, or a new one. */
export class Arrival implements FolderPlace {
  readonly #sees: (name: string) => boolean;
  readonly #spelling: Spelling;

  private constructor(
    readonly locator: Locator,
    readonly path: EntryPath,
    readonly real: RealPath,
    readonly bounds: Bounds,
    /** What the disk says of the folder; null for a new one. */
    readonly info: Deno.FileInfo | null,
    spelling: Spelling,
    readonly action: string,
  ) {
    const entries = info && locator.sight().hasRules ? entriesOf(this) : [];
    const { sees, anyCase } = sightOf(this, spelling, entries);
    this.#sees = sees;
    this.#spelling = { real: spelling.real, anyCase };
  }

  /**
   * The folder at a path where nothing is, or a real folder.
   *
   * @throws {DomainError} `forbidden`
   */
  static at(locator: Locator, path: EntryPath, action: string): Arrival {
    const { found, bounds } = locator.locate(path, action);
    if (found.kind === "found") {
      const info = found.info.isDirectory ? found.info : null;
      const spelling = locator.spelling(found.real, bounds);
      return new Arrival(locator, path, found.real, bounds, info, spelling, action);
    }
    const real = found.names.reduce(realChild, found.folder);
    const known = found.isBlocked ? null : locator.spelling(found.folder, bounds);
    const spelling = known
      ? { real: found.names.reduce(realChild, known.real), anyCase: known.anyCase }
      : { real, anyCase: false };
    return new Arrival(locator, path, real, bounds, null, spelling, action);
  }

  /** A folder in this one, to be made or there already. */
  below(name: string): Arrival {
    const { locator, bounds, action } = this;
    const spelling = {
      real: realChild(this.#spelling.real, name),
      anyCase: this.#spelling.anyCase,
    };
    const real = realChild(this.real, name);
    const there = this.entry(name);
    const info = there?.isDirectory ? there : null;
    return new Arrival(locator, childOf(this.path, name), real, bounds, info, spelling, action);
  }

  /**
   * Lets an entry in by its name.
   *
   * @throws {DomainError} `forbidden` when the viewer could not know of it there
   */
  admit(name: string): void {
    if (!this.#sees(name)) throw this.#denied();
  }

  /**
   * Lets a link in by where it would lead from here: never out of the scope, nor to what the viewer
   * may not know of.
   *
   * @param text of the link
   * @throws {DomainError} `forbidden`
   */
  admitLink(text: string): void {
    this.#admitTarget(this.real, text);
  }

  /**
   * The same for the entry at this very path, were it such a link.
   *
   * @throws {DomainError} `forbidden`
   */
  admitAsLink(text: string): void {
    this.#admitTarget(realParent(this.real), text);
  }

  /**
   * What has a name here, not following a link; null when nothing has.
   *
   * @throws {DomainError} `forbidden` for a link whose end may not be known
   */
  entry(name: string): Deno.FileInfo | null {
    const info = this.info && lstatIfThere(realChild(this.real, name));
    if (info?.isSymlink) this.locator.locate(childOf(this.path, name), this.action);
    return info;
  }

  /**
   * Proves that the path still leads to this very folder; only for one that was there.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  verify(): void {
    const { found } = this.locator.locate(this.path, this.action);
    const isHere = found.kind === "found" && found.real === this.real && this.info !== null &&
      isSameEntry(found.info, this.info);
    if (!isHere) throw new DomainError("not_found", `${this.action}: a folder was replaced`);
  }

  #admitTarget(folder: RealPath, text: string): void {
    const target = followText(folder, text, this.bounds.base);
    if (!this.locator.seesTarget(target, this.bounds)) throw this.#denied();
  }

  #denied(): DomainError {
    return new DomainError("forbidden", `${this.action}: access is denied at the destination`);
  }
}
