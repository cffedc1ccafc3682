import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { SourceHandle } from "../../core/access/source_handle.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import { collectGarbage } from "../../core/concurrency/collect_garbage.ts";
import type { CommittedCopy } from "./finish_transfer.ts";
import { copyFiles, copyTree } from "./copy_tree.ts";
import { ProgressMeter, type ReportProgress, shortened } from "./progress.ts";
import { movedFile, movedTree } from "./moved_inodes.ts";
import { actionOf, type TransferRequest } from "./request.ts";
import type { AskCapacity } from "./growth.ts";
import {
  countFiles,
  leftOutOf,
  measureTree,
  scan,
  type ScannedFile,
  type ScannedFolder,
  type ScannedLink,
  type ScannedTree,
} from "./scan.ts";
import { Staging } from "./staging.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { DestinationFolder } from "../../core/access/destination_folder.ts";
import { realChild } from "../../core/disk/real_path.ts";
import { readLink } from "../../core/access/resolve.ts";

/** A finished copy in its staging folder, under the original's name. */
export interface StagedCopy {
  folder: OpenFolder;
  /** Of a folder: the paths of its copied subfolders, in the order of the tree. */
  places: string[];
  /** The copied entry, if not a folder. */
  single: { files: ScannedFile[]; links: ScannedLink[] };
  /** What macOS keeps beside the entry, if it follows. */
  companion: ScannedFile | null;
}

/**
 * A transfer under way: the entry is scanned, checked and copied once, whatever name it will take.
 * Disposal removes an uncommitted copy, unless it was aborted and can be resumed.
 */
export class TransferJob implements AsyncDisposable {
  readonly source: SourceHandle;
  readonly action: string;
  #tree: ScannedTree | null = null;
  #isOpened = false;
  #staging: Staging | null = null;
  #copy: StagedCopy | null = null;
  #isDelivered = false;
  /** The number of folders that are made on the way to the destination. */
  #parents = 0;
  #committed: CommittedCopy | null = null;
  readonly #meter: ProgressMeter;

  constructor(
    readonly access: Access,
    readonly request: TransferRequest,
    readonly signal: AbortSignal,
    readonly report: ReportProgress,
    readonly ask?: AskCapacity,
  ) {
    this.#meter = new ProgressMeter(report);
    const { action, from } = request;
    this.source = action === "copy" ? access.copy(from) : access.rename(from);
    this.action = actionOf(request);
  }

  /**
   * Whether the viewer is sure to reach the whole subtree, here and at the destination: then a
   * folder can be moved without a scan.
   */
  canGoUnseen(target: WriteHandle): boolean {
    const { source } = this;
    return !source.isFolder ||
      (source.isReachedWhole && !source.folder().locator.reserved.liesBelow(target.real));
  }

  /**
   * Scans the entry's whole subtree.
   *
   * @param isOpened whether files will be opened, not only renamed with their folder
   * @throws {DomainError} `forbidden`, `not_a_file`; `not_supported` for a move that would have to
   * remove a mount point
   */
  async scan(isOpened: boolean): Promise<void> {
    const { source, action, signal } = this;
    if (!source.isFolder || (this.#tree && (this.#isOpened || !isOpened))) return;
    const tree = await scan(source.folder(), isOpened, action, new Pauses(signal));
    collectGarbage(countFiles(tree));
    const other = tree.find(({ handle }) => handle.info.dev !== source.info.dev);
    if (other && isOpened && this.request.action === "move") {
      throw new DomainError("not_supported", `${action}: "${other.name}" in it is another disk`);
    }
    this.#tree = tree;
    this.#isOpened = isOpened;
  }

  /** Discards the scan, after some entries were moved. */
  forgetScan(): void {
    this.#tree = null;
  }

  /**
   * Checks whether the whole tree may be at a path.
   *
   * @param isRenamed whether its entries are renamed, not copied
   * @throws {DomainError} `forbidden`, `exists`
   */
  async judgeAt(path: EntryPath, isRenamed: boolean): Promise<void> {
    const { source, action, signal } = this;
    if (!source.isFolder) return;
    await checkDestination(
      this.tree,
      this.access.destination(path, action),
      isRenamed,
      action,
      new Pauses(signal),
    );
  }

  /** The scan of a folder. */
  get tree(): ScannedTree {
    if (!this.#tree) throw new Error("Cannot copy a folder before it was scanned");
    return this.#tree;
  }

  /**
   * Makes the copy in a staging folder, or returns the one made for an earlier name. Its content is
   * synced.
   *
   * @param place a folder on the copy's target disk
   */
  async copyTo(place: string): Promise<StagedCopy> {
    if (this.#copy) return this.#copy;
    await this.#askCapacity();
    this.#staging = new Staging(place, this.request.resumable?.staging);
    const copy = await this.#copyInto(this.#staging.folder);
    this.signal.throwIfAborted();
    return this.#copy = copy;
  }

  /** Asks for room for the folders that a destination lacks, before they are made. */
  async askParents({ missingParents }: WriteHandle): Promise<void> {
    if (missingParents === 0) return;
    this.#parents += missingParents;
    await this.ask?.({ bytes: 0, files: this.#parents });
  }

  /** Reports which pipes, sockets and devices are not copied or moved. */
  async reportLeftOut(): Promise<void> {
    const all = leftOutOf(this.tree);
    if (all.length === 0) return;
    await this.report({ leftOut: shortened({ count: all.length, first: all }) });
  }

  /** Tells of a complete copy before it gets its name. */
  async reportCommitting(copy: CommittedCopy): Promise<void> {
    this.#committed = copy;
    await this.report({ committing: copy });
  }

  /** Tells that all of it is as it should be, before the originals are removed. */
  async reportFinished(): Promise<void> {
    if (!this.#committed || !this.source.isFolder) return;
    await this.report({ committing: { ...this.#committed, isFinished: true } });
  }

  /**
   * Tells of the inodes of a copy that has got its name, while the originals of the move are there.
   *
   * @param folder holds the copy
   * @param places of the copied folders
   */
  async reportInodes(folder: OpenFolder, name: string, places: readonly string[]): Promise<void> {
    if (!this.request.tellsInodes) return;
    if (!this.source.isFolder) {
      const moved = movedFile(this.source, folder, name);
      if (moved.length > 0) await this.report({ moved });
      return;
    }
    for await (const moved of movedTree(this.tree, places, new Pauses())) {
      await this.report({ moved });
    }
  }

  /** Notes that the copy has got its name: an abort comes too late. */
  delivered(): void {
    this.#isDelivered = true;
  }

  /** Removes the uncommitted copy. */
  async [Symbol.asyncDispose](): Promise<void> {
    const canGoOn = this.signal.aborted && this.request.resumable && !this.#isDelivered;
    if (canGoOn) return this.#staging?.leave();
    await this.#staging?.[Symbol.asyncDispose]();
  }

  /** A move only brings to another disk what the scope holds already. */
  async #askCapacity(): Promise<void> {
    const { ask, source, request, signal } = this;
    if (!ask || request.action === "move") return;
    const pauses = new Pauses(signal);
    const { info } = source;
    const single = { bytes: info.isFile ? info.size : 0, files: 1 };
    const growth = source.isFolder ? await measureTree(this.tree, pauses) : single;
    using parent = source.openParent();
    const companion = source.companionIn(parent);
    const bytes = growth.bytes + (companion && parent.look(companion)?.size || 0);
    await ask({ bytes, files: growth.files + this.#parents + (companion ? 1 : 0) });
    signal.throwIfAborted();
  }

  async #copyInto(folder: OpenFolder): Promise<StagedCopy> {
    const { source, action, signal } = this;
    const { reserved } = source.folder().locator;
    const { action: kind, resumable } = this.request;
    const meter = this.#meter;
    const companion = await this.#copyCompanion(folder);
    const order = { action, isMove: kind === "move", reserved, since: resumable?.since, meter };
    if (source.isFolder) {
      meter.expect(this.tree.length + countFiles(this.tree));
      await this.reportLeftOut();
      const pauses = new Pauses(signal);
      const places = await copyTree(this.tree, folder, { ...order, isSynced: false }, pauses);
      await folder.syncAll();
      return { folder, places, single: { files: [], links: [] }, companion };
    }
    meter.expect(1);
    using from = source.openParent();
    const single = singleOf(from, source);
    await copyFiles(from, folder, single, { ...order, isSynced: true }, new Pauses(signal));
    if (single.files.some(({ copied }) => !copied)) {
      throw new DomainError("not_found", `${action}: it is not there`);
    }
    return { folder, places: [], single, companion };
  }

  async #copyCompanion(folder: OpenFolder): Promise<ScannedFile | null> {
    const { source, action, request, signal } = this;
    using parent = source.openParent();
    const name = source.companionIn(parent);
    if (!name) return null;
    const file: ScannedFile = { name, replaces: false, copied: null };
    const { reserved } = source.folder().locator;
    const { action: kind, resumable } = request;
    const order = { action, isMove: kind === "move", reserved, since: resumable?.since };
    const files = { files: [file], links: [] };
    await copyFiles(parent, folder, files, { ...order, isSynced: true }, new Pauses(signal));
    return file.copied && file;
  }
}

function singleOf(from: OpenFolder, { name, info }: SourceHandle): StagedCopy["single"] {
  if (!info.isSymlink) return { files: [{ name, replaces: false, copied: null }], links: [] };
  return { files: [], links: [{ name, text: from.readLink(name), isThere: false }] };
}

/** Entries checked between two pauses. */
const stride = 512;

/**
 * Checks whether a folder's whole subtree may be at the destination, and finds existing folders
 * there: those are merged, and files replace files. A file never replaces a folder or a link, nor a
 * folder a file. Pipes, sockets and devices replace nothing: those whose names are taken stay.
 *
 * @param isRenamed whether entries are renamed, as pipes, sockets and devices can be, and not copied
 * @throws {DomainError} `forbidden`, `exists`; `not_supported` for a mount point
 */
async function checkDestination(
  tree: ScannedTree,
  top: DestinationFolder,
  isRenamed: boolean,
  action: string,
  pauses: Pauses,
): Promise<void> {
  const stack: { index: number; destination: DestinationFolder }[] = [];
  for (const [index, folder] of tree.entries()) {
    while (stack.length > 0 && stack.at(-1)?.index !== folder.parent) stack.pop();
    const above = stack.at(-1)?.destination;
    const destination = above ? enter(above, folder.name, action) : top;
    stack.push({ index, destination });
    if (pauses.isDue) await pauses.pause();
    await checkEntries(folder, destination, action, pauses);
    if (isRenamed) takeOthers(folder, destination);
  }
}

function enter(above: DestinationFolder, name: string, action: string): DestinationFolder {
  above.admit(name);
  const there = above.entry(name);
  if (there && !there.isDirectory) throw existsError(name, action);
  if (there && there.dev !== above.info?.dev) {
    throw new DomainError("not_supported", `${action}: "${name}" there is another disk`);
  }
  return above.below(name);
}

async function checkEntries(
  folder: ScannedFolder,
  destination: DestinationFolder,
  action: string,
  pauses: Pauses,
): Promise<void> {
  folder.into = destination.info && destination.real;
  for (const [index, file] of folder.files.entries()) {
    if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
    destination.admit(file.name);
    const there = destination.entry(file.name);
    if (there && !there.isFile) throw existsError(file.name, action);
    file.replaces = there !== null;
  }
  for (const link of folder.links) {
    destination.admit(link.name);
    const there = destination.entry(link.name);
    link.isThere = !!there?.isSymlink &&
      readLink(realChild(destination.real, link.name)) === link.text;
    if (there && !link.isThere) throw existsError(link.name, action);
  }
}

/** Counts pipes, sockets and devices as files, but for those whose names are taken. */
function takeOthers(folder: ScannedFolder, destination: DestinationFolder): void {
  const free = new Set(folder.others.filter((name) => {
    destination.admit(name);
    return !destination.entry(name);
  }));
  for (const name of free) folder.files.push({ name, replaces: false, copied: null });
  folder.others = folder.others.filter((name) => !free.has(name));
}

function existsError(name: string, action: string): DomainError {
  const text = `${action}: another kind of entry has the name "${name}" at the destination`;
  return new DomainError("exists", text);
}
