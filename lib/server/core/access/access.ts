import { DomainError } from "../../../shared/errors.ts";
import type { Permissions } from "../../../shared/schemas/rights.ts";
import type { NoteDenial } from "./denial.ts";
import { DestinationFolder } from "./destination_folder.ts";
import { EntryHandle, FileHandle } from "./file_handle.ts";
import { FolderHandle } from "./folder_handle.ts";
import { Locator } from "./locator.ts";
import {
  childOf,
  type EntryPath,
  joinPaths,
  nameOf,
  parentOf,
  parsePath,
  ROOT,
} from "../../../shared/path.ts";
import { topPlace } from "../../../shared/named_roots.ts";
import { virtualTop } from "./names.ts";
import { pathBelow, type RealPath } from "../disk/real_path.ts";
import { SourceHandle } from "./source_handle.ts";
import type { Allowance } from "./allowance.ts";
import type { FindAllowance, GateSpec, UploadJournal, Viewer } from "./viewer.ts";
import { WriteHandle } from "./write_handle.ts";

/**
 * The access of one viewer. Each method checks one operation on one path and returns a handle for
 * it. It throws
 *
 * - `forbidden` when a permission is missing, a rule denies, the name is hidden, or a link leaves
 *   the scope: the same whether or not the entry exists;
 * - `not_found` when the viewer may know, and no entry exists;
 * - `invalid_name` when the disk can't have such a name.
 */
export class Access {
  readonly #locator: Locator;
  /** How much the viewer may still add to the scope; absent without a quota. */
  readonly allowance?: Allowance;

  /**
   * @param journal records which folders get temporary files, if given
   * @param findAllowance tells how much a viewer with a quota may add, if given
   * @param note called with the reason of each refusal: for explanations alone
   */
  constructor(
    readonly spec: GateSpec,
    readonly viewer: Viewer,
    readonly journal?: UploadJournal,
    findAllowance?: FindAllowance,
    readonly note?: NoteDenial,
  ) {
    this.#locator = new Locator(spec, viewer, note);
    const { quota } = viewer;
    if (quota) this.allowance = findAllowance?.({ ...viewer, quota });
  }

  /** Whether the viewer has a permission. An administrator has them all. */
  may(permission: keyof Permissions): boolean {
    return this.viewer.perm.admin || this.viewer.perm[permission];
  }

  /** @throws {DomainError} `forbidden` when the viewer lacks one of the permissions */
  need(action: string, ...permissions: (keyof Permissions)[]): void {
    for (const permission of permissions) {
      if (!this.may(permission)) {
        this.note?.({ kind: "permission", permission });
        throw new DomainError("forbidden", `${action}: the permission "${permission}" is missing`);
      }
    }
  }

  /** To get facts about an entry: needs no permission. */
  stat(path: EntryPath): EntryHandle {
    const action = `Cannot read "${path}"`;
    return new EntryHandle(this.#locator.locate(path, action), action);
  }

  /** The same; null where none is there, and the viewer may know. */
  find(path: EntryPath): EntryHandle | null {
    const action = `Cannot read "${path}"`;
    const place = this.#locator.locate(path, action);
    return place.found.kind === "missing" ? null : new EntryHandle(place, action);
  }

  /**
   * To look for an entry that may be missing, with the place that it has or would have, and whether
   * its folder is missing: needs no permission.
   */
  seek(path: EntryPath): { there: EntryHandle | null; place: EntryPath; lacksParent: boolean } {
    const action = `Cannot read "${path}"`;
    const located = this.#locator.locate(path, action);
    const { found } = located;
    if (found.kind === "found") {
      const there = new EntryHandle(located, action);
      return { there, place: this.placeOf(there), lacksParent: false };
    }
    const place = found.names.reduce(childOf, this.placeOf({ real: found.folder }));
    return { there: null, place, lacksParent: found.isBlocked || found.names.length !== 1 };
  }

  /**
   * The place of an entry below the server's root, by which shares are followed; a link's target's.
   */
  placeOf({ real }: Pick<EntryHandle, "real">): EntryPath {
    return real === virtualTop ? topPlace : pathBelow(real, this.spec.root);
  }

  /**
   * The place that an entry has, or would have if it were there: below a link's target.
   *
   * @throws {DomainError} `forbidden`; `not_found` when the scope is gone
   */
  placeAt(path: EntryPath): EntryPath {
    return this.seek(path).place;
  }

  /** The place of an entry itself, also of a link, whether or not it is there. */
  ownPlaceAt(path: EntryPath): EntryPath {
    const { scope, base = ROOT } = this.viewer;
    const top = joinPaths(parsePath(scope).path, base);
    if (path === ROOT) return top;
    try {
      const folder = this.folder(parentOf(path));
      return folder.real === virtualTop
        ? this.placeAt(path)
        : childOf(this.placeOf(folder), nameOf(path));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return joinPaths(top, path);
    }
  }

  /**
   * The real folder that confines what is at a path: that of the scope, or of the named root. For
   * commands, which never work among several roots.
   *
   * @param change whether it is to be changed: then nothing in it may be read-only
   * @throws {DomainError} `forbidden`, also at the virtual top; `not_found`
   */
  confines(path: EntryPath, action: string, change = false): RealPath {
    const { bounds } = this.#locator.locate(path, action);
    if (bounds.scope === virtualTop) {
      throw new DomainError("forbidden", `${action}: open one of the named roots first`);
    }
    if (change) this.#locator.readOnly.assertWritable(bounds.scope, bounds, action, "below");
    return bounds.scope;
  }

  /** Refuses a path in which nothing may be changed: in a read-only root, or at the virtual top. */
  needWritable(path: EntryPath, action: string): void {
    const { roots } = this.viewer;
    if (!roots) return;
    const { found, bounds } = this.#locator.locate(path, action);
    const real = found.kind === "found" ? found.real : found.folder;
    this.#locator.readOnly.assertWritable(real, bounds, action);
  }

  /** Whether nothing may be changed at a path of a viewer with named roots. */
  isReadOnly(path: EntryPath): boolean {
    try {
      this.needWritable(path, "");
      return false;
    } catch (error) {
      if (error instanceof DomainError && error.code === "forbidden") return true;
      throw error;
    }
  }

  /**
   * To list or walk a folder, by its path or as it was found: needs no permission. `not_found` also
   * for what is no folder.
   */
  folder(at: EntryPath | EntryHandle): FolderHandle {
    if (at instanceof EntryHandle && at.isFolder) return FolderHandle.of(this.#locator, at);
    const path = at instanceof EntryHandle ? at.path : at;
    return FolderHandle.at(this.#locator, path, `Cannot list "${path}"`);
  }

  /** To read a file's content: needs download. Also throws `is_folder` and `not_a_file`. */
  read(path: EntryPath): FileHandle {
    const action = `Cannot open "${path}"`;
    this.need(action, "download");
    return new FileHandle(this.#locator, path, action);
  }

  /** To detect a file's type from its first bytes, which are not sent: needs no permission. */
  peek(path: EntryPath): FileHandle {
    return new FileHandle(this.#locator, path, `Cannot read "${path}"`);
  }

  /** To make a new entry: needs create. The name may be taken: see the handle. */
  create(path: EntryPath): WriteHandle {
    return this.#write(path, `Cannot create "${path}"`, "create");
  }

  /**
   * To write a file that may be there: as {@linkcode create}. A viewer who may change files, and make
   * none, gets one that is there.
   */
  write(path: EntryPath): WriteHandle {
    return this.may("create") || !this.may("modify") ? this.create(path) : this.modify(path);
  }

  /** Refuses a viewer who may neither make nor change files. @param action as for `need()` */
  needWrite(action: string): void {
    if (!this.may("modify")) this.need(action, "create");
  }

  /** To put an entry back at a name that it had: as {@linkcode create}, whatever names are allowed. */
  putBack(path: EntryPath): WriteHandle {
    const action = `Cannot create "${path}"`;
    this.need(action, "create");
    return new WriteHandle(this.#locator, this.#locator.locate(path, action), action, true);
  }

  /** To make an entry, replacing what has the name: needs create and modify. */
  replace(path: EntryPath): WriteHandle {
    return this.#write(path, `Cannot replace "${path}"`, "create", "modify");
  }

  /** To change the content of an entry that is there: needs modify. */
  modify(path: EntryPath): WriteHandle {
    const handle = this.#write(path, `Cannot save "${path}"`, "modify");
    if (handle.existing) return handle;
    throw new DomainError("not_found", `Cannot save "${path}": it is not there`);
  }

  /** To delete an entry: needs delete. The root of the scope is refused. */
  remove(path: EntryPath): SourceHandle {
    return this.#take(path, `Cannot delete "${path}"`, "delete");
  }

  /** To give an entry another name or place: needs rename. The root of the scope is refused. */
  rename(path: EntryPath): SourceHandle {
    return this.#take(path, `Cannot move "${path}"`, "rename");
  }

  /** To copy an entry from where it is: needs create. The root of the scope is refused. */
  copy(path: EntryPath): SourceHandle {
    return this.#take(path, `Cannot copy "${path}"`, "create", false);
  }

  /** To look at an entry itself, and not behind a link: needs no permission. */
  itself(path: EntryPath): SourceHandle {
    const action = `Cannot read "${path}"`;
    const place = this.#locator.locate(path, action, "itself");
    return new SourceHandle(this.#locator, place, action, false);
  }

  /** To move an entry to a name: needs rename. The name may be taken already. */
  receive(path: EntryPath): WriteHandle {
    return this.#write(path, `Cannot move to "${path}"`, "rename");
  }

  /**
   * To share an entry: needs share and download. Returns the entry's own path below the server
   * root, by which it can be followed. The root of the scope is allowed, too.
   */
  share(path: EntryPath): EntryPath {
    const action = `Cannot share "${path}"`;
    this.need(action, "share", "download");
    const { found } = this.#locator.locate(path, action);
    if (found.kind === "missing") throw new DomainError("not_found", `${action}: it is not there`);
    if (found.real === virtualTop) {
      throw new DomainError(
        "forbidden",
        `${action}: share a named root or an entry in one`,
      );
    }
    return pathBelow(found.real, this.spec.root);
  }

  /** To check that nothing denies a path, whether or not anything is there: needs no permission. */
  check(path: EntryPath, action: string): void {
    this.#locator.locate(path, action, "itself");
  }

  /** To check entries that come into a folder, existing or new: needs no permission. */
  destination(path: EntryPath, action: string): DestinationFolder {
    return DestinationFolder.at(this.#locator, path, action);
  }

  #write(path: EntryPath, action: string, ...permissions: (keyof Permissions)[]): WriteHandle {
    this.need(action, ...permissions);
    return new WriteHandle(this.#locator, this.#locator.locate(path, action), action);
  }

  #take(
    path: EntryPath,
    action: string,
    permission: keyof Permissions,
    isTaken = true,
  ): SourceHandle {
    this.need(action, permission);
    const place = this.#locator.locate(path, action, "itself");
    return new SourceHandle(this.#locator, place, action, isTaken);
  }
}
