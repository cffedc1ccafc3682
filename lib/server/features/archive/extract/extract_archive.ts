import type { Access } from "../../../core/access/access.ts";
import { asRefusal } from "../../../core/access/os_errors.ts";
import type { WriteHandle } from "../../../core/access/write_handle.ts";
import { Pauses } from "../../../core/concurrency/pauses.ts";
import { DiskError, type OpenFile, type OpenFolder, tryTo } from "../../../core/disk/disk.ts";
import { disk } from "../../../core/disk/this_disk.ts";
import { removeTree } from "../../../files/remove_tree.ts";
import { type AskCapacity, GrowthMeter } from "../../../files/transfer/growth.ts";
import {
  type LeftOut,
  maxLeftOut,
  ProgressMeter,
  type ReportProgress,
  shortened,
} from "../../../files/transfer/progress.ts";
import { Staging } from "../../../files/transfer/staging.ts";
import { renameToFree } from "../../../files/upload/free_name.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { numberedName } from "../../../../shared/numbered_name.ts";
import { childOf, type EntryPath, nameOf, parentOf } from "../../../../shared/path.ts";
import type { ExtractRequest } from "../order.ts";
import { ArchiveFile } from "./archive_file.ts";
import { ChosenEntries } from "./chosen_entries.ts";
import { printable } from "./entry_path.ts";
import { isHole } from "./sparse_file.ts";
import { Limits } from "./limits.ts";
import { readArchive } from "./open_archive.ts";
import { StagedTree } from "./staged_tree.ts";
import { unknownFacts } from "../../../core/disk/facts.ts";
import { copyContent, fileBits } from "../../../files/transfer/copy_data.ts";
import {
  type ArchivedEntry,
  brokenArchiveError,
  unsafeArchiveError,
  unsupportedArchiveError,
} from "./archived_entry.ts";

/** The folder in the staging folder that is filled. */
const contentName = "content";

/** An extracted tree that has not got its name. */
interface Extracted {
  /** Holds its top folder. */
  above: OpenFolder;
  name: string;
}

/**
 * Extracts an archive, or entries of it, to a new folder: first into a staging folder on the
 * target's disk, which then gets its name by one rename. What lies in the only folder at the top of
 * an archive comes directly into the new one. Any refusal leaves nothing behind. Devices, pipes and
 * absolute paths are left out, and reported.
 *
 * @param ask asks for room before each file, for a viewer with a quota
 * @returns the path of the new folder
 * @throws {DomainError} `forbidden`, `not_found`, `is_folder`, `not_a_file`, `exists`,
 * `invalid_name`, `disk_full`; `unsafe_archive`, `broken_archive`, `encrypted_archive`,
 * `archive_too_large`, `over_quota`, `not_supported`; and the signal's reason
 */
export async function extractArchive(
  access: Access,
  request: ExtractRequest,
  signal: AbortSignal,
  report: ReportProgress,
  ask?: AskCapacity,
): Promise<EntryPath> {
  const { from, to, staging } = request;
  const action = `Cannot extract "${from}"`;
  let target: WriteHandle | null = null;
  try {
    const handle = access.read(from);
    target = access.create(to);
    if (target.existing && !request.rename) throw nameTakenError(action);
    const growth = new GrowthMeter(ask);
    if (target.lacksParents) await growth.add(0, target.missingParents);
    using parent = target.open();
    await using stage = new Staging(parent.real, staging);
    // An earlier attempt may have left a part.
    await removeTree(stage.folder, contentName, new Pauses(signal));
    const { fileMode, dirMode, windowsNames } = access.spec;
    stage.folder.makeFolder(contentName, dirMode);
    using content = stage.folder.folder(contentName);
    using file = handle.openSync();
    const meter = new ProgressMeter(report);
    const pauses = new Pauses(signal);
    const source = new ArchiveFile(file, meter, pauses);
    meter.expect(0, source.size);
    const { total, used } = await content.usage();
    const limits = new Limits(source.size, total - used);
    using tree = new StagedTree(content, { fileMode, dirMode });
    const chosen = new ChosenEntries(request.chosen ?? null, windowsNames);
    const isWanted = (path: string) => chosen.place(path) !== null;
    const entries = readArchive(source, handle.name, limits, isWanted);
    const leftOut = await unpack(entries, chosen, tree, { limits, growth }, pauses);
    chosen.assertFound();
    if (leftOut.count > 0) await report({ leftOut: shortened(leftOut) });
    signal.throwIfAborted();
    await content.syncAll();
    const made = topOf(stage.folder, content);
    if (made.name === contentName) await growth.add(0, 1);
    const arrived = await commit(access, made, { parent, target, request, action, report }, pauses);
    await target.sync(parent);
    target = null;
    return arrived;
  } catch (error) {
    throw asRefusal(error, action);
  } finally {
    target?.removeMadeParents();
  }
}

/** The only folder of an archive, or else the folder that all of it was extracted to. */
function topOf(stage: OpenFolder, content: OpenFolder): Extracted {
  const [only, second] = content.entries();
  const isAlone = only !== undefined && !second && only.kind === "folder";
  return isAlone ? { above: content, name: only.name } : { above: stage, name: contentName };
}

interface Commit {
  /** The open folder that will hold it. */
  parent: OpenFolder;
  target: WriteHandle;
  request: ExtractRequest;
  action: string;
  report: ReportProgress;
}

/** Gives the tree its name, or the next one that is free. */
async function commit(
  access: Access,
  { above, name }: Extracted,
  { parent, target, request: { to, rename }, action, report }: Commit,
  pauses: Pauses,
): Promise<EntryPath> {
  const ino = above.look(name)?.ino ?? null;
  target.assertInPlace(parent);
  for (let number = 0;; number++) {
    const path = number === 0 ? to : childOf(parentOf(to), numberedName(nameOf(to), number, true));
    const { existing, name: toName } = access.create(path);
    if (!existing) {
      await judge(access, path, `${above.real}/${name}`, action, pauses);
      await report({ committing: { to: path, ino } });
      await pauses.pause();
      if (isCommitted(() => renameToFree(above, name, parent, toName))) return path;
    }
    if (!rename) throw nameTakenError(action);
    if (pauses.isDue) await pauses.pause();
  }
}

function isCommitted(rename: () => void): boolean {
  try {
    rename();
    return true;
  } catch (error) {
    if (error instanceof DiskError && /^(EEXIST|ENOTEMPTY|ENOTDIR)$/.test(error.code)) return false;
    throw error;
  }
}

/** Checks every name by the viewer's rules, at the place that it will have. */
async function judge(
  access: Access,
  path: EntryPath,
  real: string,
  action: string,
  pauses: Pauses,
): Promise<void> {
  const pending = [{ destination: access.destination(path, action), real }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    using folder = disk.folder(next.real);
    for (const { name, kind } of folder.entries()) {
      next.destination.admit(name);
      if (kind === "folder") {
        pending.push({ destination: next.destination.below(name), real: `${next.real}/${name}` });
      }
      if (pauses.isDue) await pauses.pause();
    }
  }
}

function nameTakenError(action: string): DomainError {
  return new DomainError("exists", `${action}: the name of its folder is taken`);
}

/** How much may come out of an archive, and into the scope. */
interface Bounds {
  limits: Limits;
  growth: GrowthMeter;
}

/**
 * Writes the entries of an archive into a new tree. Links are left out, as they are of archives
 * that are made: one could lead anywhere.
 *
 * @param chosen the entries to write, and where
 * @param bounds how much may come out, of the archive and into the scope
 * @returns the devices, pipes and absolute paths, which are left out
 * @throws {DomainError} `unsafe_archive` for paths that lead out, a file and a folder of the same
 * name, and when nothing else is in it than what is left out; `broken_archive`, `archive_too_large`,
 * `disk_full`, `over_quota`, `forbidden`, `invalid_name`
 */
async function unpack(
  entries: AsyncIterable<ArchivedEntry>,
  chosen: ChosenEntries,
  tree: StagedTree,
  bounds: Bounds,
  pauses: Pauses,
): Promise<LeftOut> {
  const { limits, growth } = bounds;
  const leftOut: LeftOut = { count: 0, first: [] };
  let isEmpty = true;
  for await (const entry of entries) {
    const { kind, size, path, modified } = entry;
    const names = chosen.place(path);
    limits.add(kind === "file" && names ? size : 0);
    // Of all entries only absolute paths have no place.
    const isLeftOut = names ? kind === "other" : chosen.isAll;
    if (isLeftOut && ++leftOut.count <= maxLeftOut) leftOut.first.push(printable(path));
    if (!names || isLeftOut) {
      if (pauses.isDue) await pauses.pause();
      continue;
    }
    isEmpty = false;
    await growth.expect({ bytes: limits.announced, files: 0 });
    if (kind === "copy") await copy(entry, names, chosen, tree, bounds, pauses);
    else if (kind === "folder") tree.addFolder(names, modified);
    else if (kind === "file") {
      await growth.add(size, 1);
      using file = tree.addFile(names);
      await write(entry, file);
      setMode(file, entry.mode);
    }
    const { bytes, files } = tree.takeGrowth();
    await growth.add(bytes, files);
    if (pauses.isDue) await pauses.pause();
  }
  const [first] = leftOut.first;
  if (isEmpty && first !== undefined) {
    throw unsafeArchiveError(`"${first}" is a device, a pipe or an absolute path`);
  }
  await tree.finish(pauses);
  return leftOut;
}

/** Copies the content of an entry before it: the files are not one, as those of links are. */
async function copy(
  { path, original = "", modified, mode }: ArchivedEntry,
  names: readonly string[],
  chosen: ChosenEntries,
  tree: StagedTree,
  { limits, growth }: Bounds,
  pauses: Pauses,
): Promise<void> {
  const from = chosen.place(original);
  if (!from && chosen.isAll) {
    throw unsafeArchiveError(`a link in it leads to "${original}", which is not a file in it`);
  }
  if (!from) {
    throw unsupportedArchiveError(
      `"${path}" has the content of "${original}", which is not selected`,
    );
  }
  using source = tree.openFile(from);
  const facts = source.facts();
  limits.addBytes(facts.size);
  await growth.add(facts.size, 1);
  using file = tree.addFile(names);
  await copyContent(source, file, facts, pauses);
  setModified(file, modified);
  setMode(file, mode ?? facts.mode);
}

async function write({ path, size, modified, content }: ArchivedEntry, file: OpenFile) {
  let written = 0;
  for await (const part of content()) {
    if (written + part.length > size) throw brokenArchiveError(`"${path}" is larger than declared`);
    if (!isHole(part)) file.write(part, written);
    written += part.length;
  }
  if (written < size) throw brokenArchiveError(`"${path}" is smaller than declared`);
  if (file.facts().size < size) file.setSize(size);
  setModified(file, modified);
}

/**
 * Lets those execute a file who may read it here and might execute it in the archive, and keeps one
 * private that was its owner's alone. No other bit of an archive counts: set-uid least of all.
 */
function setMode(file: OpenFile, archived: number | null | undefined): void {
  const own = file.facts().mode;
  const isKnown = own !== null && archived !== null && archived !== undefined &&
    (archived & ownerRead) !== 0;
  if (!isKnown) return;
  const isPrivate = (archived & othersBits) === 0;
  const readable = isPrivate ? own & ~othersBits : own;
  const mode = (readable & fileBits) | (archived & executeBits & (readable >> 2));
  if (mode !== (own & fileBits)) tryTo(() => file.setMode(mode));
}

const ownerRead = 0o400;
const othersBits = 0o077;
const executeBits = 0o111;

function setModified(file: OpenFile, modified: number | null): void {
  if (modified === null) return;
  const times = { ...unknownFacts("file"), atime: new Date(), mtime: new Date(modified) };
  tryTo(() => file.setTimes(times));
}
