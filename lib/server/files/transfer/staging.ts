import { makeTemporaryName } from "../../core/access/names.ts";
import { DiskError, type OpenFolder, tryTo } from "../../core/disk/disk.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { lockUploadFolder, takeRights } from "../upload/temporary_file.ts";
import { removeTree } from "../remove_tree.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { DomainError } from "../../../shared/errors.ts";
import { renameToFree } from "../upload/free_name.ts";
import { OpenTree, type ScannedTree } from "./scan.ts";
import { NameTaken, type TransferRequest } from "./request.ts";

/**
 * The hidden folder in which a copy is made before its commit. It can't be listed or reached; after
 * a crash, a sweep at the next start recognizes it by its name.
 */
export class Staging implements AsyncDisposable {
  /** The hidden folder. Only its owner may enter it. */
  readonly folder: OpenFolder;
  readonly #name: string;
  readonly #place: OpenFolder;
  readonly #hold: Disposable;

  /**
   * @param place its parent: a folder on the copy's target disk
   * @param name one that an earlier attempt may have made; a new one unless given
   */
  constructor(place: string, name = makeTemporaryName()) {
    this.#name = name;
    this.#place = disk.folder(place);
    this.#hold = lockUploadFolder(this.#place);
    try {
      if (!this.#place.look(name)?.isDirectory) this.#place.makeFolder(name, 0o700);
      this.folder = this.#place.folder(this.#name);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Leaves it, to be resumed. */
  leave(): void {
    this.folder[Symbol.dispose]();
    this.#release();
  }

  /** Removes it with everything that was not committed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.folder[Symbol.dispose]();
    try {
      await removeTree(this.#place, this.#name, new Pauses());
    } catch {
      // It was moved, or the disk is gone: a sweep at the next start may find it.
    }
    this.#release();
  }

  #release(): void {
    this.#hold[Symbol.dispose]();
    this.#place[Symbol.dispose]();
  }
}

/** An entry in its folder. */
export interface NamedEntry {
  folder: OpenFolder;
  name: string;
}

/** Errors for a taken name, by any kind of entry. */
const takenCodes = /^(EEXIST|ENOTEMPTY|EISDIR|ENOTDIR)$/;

/**
 * Gives a finished copy its name. Replacing a file is atomic; otherwise the name must be free.
 *
 * @param replaces what may replace a file: a copy, which takes the rights of that, or the copy of a
 * file that is moved, which keeps its own; null for nothing
 * @throws {DomainError} `exists`, `not_supported`
 * @throws {DiskError}
 */
export function commit(
  { folder: from, name }: NamedEntry,
  { folder: to, name: toName }: NamedEntry,
  replaces: TransferRequest["action"] | null,
  action: string,
): void {
  try {
    const former = replaces && to.look(toName);
    if (!former?.isFile) return renameToFree(from, name, to, toName);
    if (replaces === "copy") {
      tryTo(() => {
        using copy = from.file(name, "read");
        takeRights(copy, to, toName, former);
      });
    }
    from.rename(name, to, toName);
  } catch (error) {
    throw isOtherDisk(error)
      ? new DomainError("not_supported", `${action}: another disk begins below the destination`)
      : toNameTaken(error, action);
  }
}

/**
 * Merges a finished copy of a folder into an existing folder: new entries are added and existing
 * files replaced, each atomically; existing subfolders are merged. Other entries there stay
 * untouched.
 *
 * @param places the paths of the copied folders
 * @throws {DomainError} `exists`, `not_supported`
 * @throws {DiskError}
 */
export async function commitInto(
  tree: ScannedTree,
  places: readonly string[],
  kind: TransferRequest["action"],
  action: string,
  pauses: Pauses,
): Promise<void> {
  using copies = new OpenTree(tree, (index) => places[index] ?? "");
  using targets = new OpenTree(tree, (index) => tree[index]?.into ?? "");
  const take = (index: number, name: string, replaces = false) =>
    commit(
      { folder: copies.open(index), name },
      { folder: targets.open(index), name },
      replaces ? kind : null,
      action,
    );
  for (const [index, { name, parent, files, links, into }] of tree.entries()) {
    if (!into) {
      // Subfolders of a new folder move with it.
      if (tree[parent]?.into) take(parent, name);
      continue;
    }
    for (const { name, replaces, copied } of files) {
      if (copied) take(index, name, replaces);
      if (pauses.isDue) await pauses.pause();
    }
    for (const { name, isThere } of links) {
      if (!isThere) take(index, name);
      if (pauses.isDue) await pauses.pause();
    }
  }
}

/** Whether an error says that two names are on different disks. */
export function isOtherDisk(error: unknown): boolean {
  return error instanceof DiskError && error.code === "EXDEV";
}

/** The error for a taken name; other errors are returned unchanged. */
export function toNameTaken(error: unknown, action: string): unknown {
  return error instanceof DiskError && takenCodes.test(error.code) ? new NameTaken(action) : error;
}
