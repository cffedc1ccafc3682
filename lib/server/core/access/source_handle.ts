import { companionName, isCompanion } from "./companions.ts";
import { type OpenFolder, tryTo } from "../disk/disk.ts";
import { disk } from "../disk/this_disk.ts";
import { type Facts, isSameEntry } from "../disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { FolderHandle } from "./folder_handle.ts";
import type { LocatedEntry, Locator } from "./locator.ts";
import type { Bounds } from "./scopes.ts";
import { isRootItself } from "../../../shared/named_roots.ts";
import { asRefusal } from "./os_errors.ts";
import { childrenOf, type EntryPath, parentOf } from "../../../shared/path.ts";
import { pathBelow, realName, realParent, type RealPath } from "../disk/real_path.ts";

/** The source of a copy, move or delete: a link itself, not its target. */
export class SourceHandle {
  readonly path: EntryPath;
  /** The entry itself. For lib/server alone: never shown. */
  readonly real: RealPath;
  readonly info: Facts;
  /** The confinement under which it was found. */
  readonly bounds: Bounds;
  readonly #action: string;
  readonly #locator: Locator;
  readonly #isTaken: boolean;

  /**
   * @param isTaken whether the entry is to be moved or deleted
   * @throws {DomainError} `not_found`; `forbidden` for the root of the scope
   */
  constructor(locator: Locator, place: LocatedEntry, action: string, isTaken: boolean) {
    if (place.path === "/") {
      locator.note?.({ kind: "top" });
      throw new DomainError("forbidden", `${action}: it is the root of the scope`);
    }
    if (isTaken && isRootItself(locator.viewer, locator.inScope(place.path))) {
      locator.note?.({ kind: "top" });
      throw new DomainError("forbidden", `${action}: it is a named root, not an entry in one`);
    }
    if (locator.inScope(place.path) === locator.viewer.within) {
      throw new DomainError("forbidden", `${action}: it is the top folder of the access`);
    }
    if (place.found.kind === "missing") {
      throw new DomainError("not_found", `${action}: it is not there`);
    }
    if (isTaken) locator.readOnly.assertWritable(place.found.real, place.bounds, action, "below");
    this.path = place.path;
    this.real = place.found.real;
    this.info = place.found.info;
    this.bounds = place.bounds;
    this.#action = action;
    this.#locator = locator;
    this.#isTaken = isTaken;
  }

  /** A real folder; a link to one is not. */
  get isFolder(): boolean {
    return this.info.isDirectory;
  }

  /**
   * Whether the viewer is sure to reach all that is below: then it need not be walked before it is
   * moved or deleted.
   */
  get isReachedWhole(): boolean {
    const locator = this.#locator;
    return !this.isFolder ||
      (locator.visibility().hidesNothing && !locator.reserved.liesBelow(this.real));
  }

  /** The name on the disk. */
  get name(): string {
    return realName(this.real);
  }

  /** The same entry as a path below the server root, for records that are kept by path. */
  get belowRoot(): EntryPath {
    return pathBelow(this.real, this.#locator.spec.root);
  }

  /** The folder, to look at what is below it; only for a real one. */
  folder(): FolderHandle {
    const { path, real, info, bounds } = this;
    return new FolderHandle(this.#locator, path, real, info, bounds);
  }

  /** Opens the folder that holds the entry; the caller closes it. */
  openParent(): OpenFolder {
    try {
      return disk.folder(realParent(this.real));
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
  }

  /**
   * The name of the file that macOS keeps beside the entry, which follows it wherever it goes, and is
   * removed with it; null for none, and for one that a rule denies to the viewer. A program that sees
   * such files copies them by itself.
   *
   * @param parent the open folder that holds the entry
   */
  companionIn(parent: OpenFolder): string | null {
    const { viewer } = this.#locator;
    if (!this.#isTaken && !viewer.hidesCompanions) return null;
    const name = companionName(this.name);
    const path = childrenOf(parentOf(this.#locator.inScope(this.path)))(name);
    if (!this.#locator.visibility().rulesAllow(path)) return null;
    return isCompanion(parent, { name, kind: "file" }) ? name : null;
  }

  /**
   * Deletes an entry that is no folder. A link is deleted, its target stays.
   *
   * @param isRight decides right before, by the open folder that holds it, whether it is the one
   * @throws {DomainError} `not_found`
   */
  async removeSingle(isRight: (parent: OpenFolder) => boolean = () => true): Promise<void> {
    try {
      using parent = this.openParent();
      const now = parent.look(this.name);
      if (!now || !isSameEntry(now, this.info) || !isRight(parent)) {
        throw new DomainError("not_found", `${this.#action}: it was replaced`);
      }
      const companion = this.companionIn(parent);
      parent.removeFile(this.name);
      if (companion) tryTo(() => parent.removeFile(companion));
      await parent.sync();
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
  }
}
