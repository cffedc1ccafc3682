import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import type { Access } from "../../core/access/access.ts";
import type { SourceHandle } from "../../core/access/source_handle.ts";
import { removeEntry } from "../../files/remove.ts";
import type { CommittedCopy } from "../../files/transfer/finish_transfer.ts";
import { copyEntry, moveEntry } from "../../files/transfer/start_transfer.ts";
import type { FormerFiles } from "../../files/upload/commit_upload.ts";
import { type Hooked, transferHooks } from "../commands/hooks.ts";
import type { Trash } from "../../files/trash/trash.ts";
import type { TrashedEntry } from "../../files/trash/trash_records.ts";
import type { CurrentEntry, Job, JobEntry, Step } from "./job.ts";
import { type EntryContext, hookedBy, reportTo } from "./job_context.ts";
import { usualLevel } from "../archive/deflate.ts";
import { readFormat } from "../archive/format.ts";
import { saveArchive } from "../archive/save_archive.ts";

/** Most numbered names that an entry is looked for under. */
const maxNumbers = 100;

/** The inode of the entry that a job is to deal with; null when it is not there. */
export function inodeOf(access: Access, action: Job["action"], path: EntryPath): number | null {
  return unlessRefused(() => sourceOf(access, action, path).info.ino);
}

/**
 * Deals with one entry of a job.
 *
 * @throws {DomainError} and the signal's reason
 */
export async function runEntry(context: EntryContext, entry: JobEntry): Promise<Step> {
  const { job: { action } } = context;
  switch (action) {
    case "copy":
    case "move":
      return await transfer(context, entry, action);
    case "trash":
      return await discard(context, entry);
    case "archive":
      return await makeArchive(context, entry);
    case "extract":
      return await extract(context, entry);
    case "checksum":
      return await makeChecksum(context, entry);
    default:
      return await remove(context, entry);
  }
}

/**
 * Finds out what has become of an entry that a job was dealing with when its process was killed,
 * and finishes what was all but done.
 *
 * @returns null when it has to be dealt with again
 */
export async function recoverEntry(context: EntryContext, entry: JobEntry): Promise<Step | null> {
  const { access, job: { action }, current } = context;
  const { path, to } = entry;
  if (isArchival(action)) return await recoverArchival(context, entry);
  // It was not there, so nothing was begun.
  if (current.ino === null) return null;
  const isThere = inodeOf(access, action, path) === current.ino;
  if (to === null) return isThere ? null : await recoverRemoval(context);
  const way = action === "copy" ? "copy" as const : "move" as const;
  const arrived = await recoverTransfer(context, { ...entry, to }, way);
  if (arrived) return stepOf(action, path, arrived, current);
  return !isThere && action === "move" && current.merges ? { kind: "final" } : null;
}

/**
 * The same for the copy or move of an entry, which may be the undo of another.
 *
 * @returns where it is now; null when it has not arrived
 */
export async function recoverTransfer(
  context: EntryContext,
  entry: JobEntry & { to: EntryPath },
  action: "copy" | "move",
): Promise<CommittedCopy | null> {
  const { access, current: { copy, ino } } = context;
  const isThere = inodeOf(access, action, entry.path) === ino;
  if (copy && copy.to !== entry.path && inodeOf(access, "copy", copy.to) === copy.ino) {
    await finishCopy(context, entry, { action, copy, isThere });
    return copy;
  }
  if (isThere || action !== "move" || ino === null) return null;
  const to = placeOf(access, entry.to, ino);
  return to && { to, ino };
}

/** Finishes what had got its name; what is kept by the path of an original follows. */
async function finishCopy(
  { services: { transferWorker, observers }, access, job: { staging }, signal }: EntryContext,
  { path: from, to, override = false, rename = false }: JobEntry & { to: EntryPath },
  { action, copy, isThere }: { action: "copy" | "move"; copy: CommittedCopy; isThere: boolean },
): Promise<void> {
  const resumable = { staging, since: 0 };
  const request = { action, from, to, override, rename, resumable };
  const finish = async () => {
    await transferWorker.finish({ access, request, copy }, { signal });
    return copy.to;
  };
  if (action === "copy" || !isThere) return void await finish();
  const { folderBelowRoot, name } = access.receive(copy.to);
  await observers.moving(access.rename(from), childOf(folderBelowRoot, name), finish);
}

async function transfer(
  context: EntryContext,
  { path, to, override = false, rename = false }: JobEntry,
  action: "copy" | "move",
): Promise<Step> {
  const { services, access, job, signal, current } = context;
  if (to === null) {
    throw new DomainError("invalid_option", `Cannot ${action} "${path}" without a destination`);
  }
  const merges = override && !rename && isFolder(access, action, path) &&
    isFolder(access, action, to);
  if (merges) await context.save({ merges });
  let { version, isFinal } = current;
  const files = services.trash.formerFilesOf(job.userId);
  const formerFiles: FormerFiles = {
    ...files,
    async keep(folder, at, former) {
      const kept = await files.keep(folder, at, former);
      [version, isFinal] = [kept?.id, kept === null];
      await context.save({ version, isFinal });
      return kept;
    },
  };
  const options = { override, rename, signal, formerFiles, ...resumableBy(context) };
  const { transferWorker, observers } = services;
  const hooks = transferHooks(access, action, path, to);
  const arrived = await hookedBy(
    context,
    hooks,
    () =>
      action === "copy"
        ? copyEntry(access, transferWorker, path, to, options)
        : moveEntry(access, transferWorker, path, to, { ...options, observers }),
  );
  if (merges) return { kind: "final" };
  const ino = inodeOf(access, action, arrived);
  return stepOf(action, path, { to: arrived, ino }, { version, isFinal });
}

/** The options of a transfer that another run can go on with. */
export function resumableBy(context: EntryContext) {
  const { job: { staging }, current: { since } } = context;
  return { report: reportTo(context), resumable: { staging, since } };
}

async function discard(context: EntryContext, { path }: JobEntry): Promise<Step> {
  const { services: { trash }, access, job, signal } = context;
  const { id } = await hookedBy(
    context,
    { event: "delete", action: "trash", access, path, file: () => access.remove(path).real },
    () => trash.discard(access, job.userId, path, signal),
  );
  return { kind: "trashed", id };
}

/** By way of the trash, so that a folder is gone at once, whatever happens meanwhile. */
async function remove(context: EntryContext, { path }: JobEntry): Promise<Step> {
  const { services: { trash, listingWorker, observers }, access, job, signal } = context;
  const byTrash = async () => {
    const entry = await trash.discard(access, job.userId, path, signal);
    await trash.removeAll([entry], access);
  };
  await hookedBy(
    context,
    { event: "delete", access, path, file: () => access.remove(path).real },
    async () => {
      try {
        await byTrash();
      } catch (error) {
        // A full disk has no room for the trash's folder: a deletion must not fail for that.
        const hasNoTrash = error instanceof DomainError &&
          /^(no_trash|disk_full)$/.test(error.code);
        if (!hasNoTrash) throw error;
        await removeEntry(access, listingWorker, path, signal, observers);
      }
    },
  );
  return { kind: "final" };
}

async function recoverRemoval(
  { services: { trash }, access, job, current }: EntryContext,
): Promise<Step> {
  const entry = await trashedSince(trash, job.userId, current);
  if (!entry) return { kind: "final" };
  if (job.action === "trash") return { kind: "trashed", id: entry.id };
  await trash.removeAll([entry], access);
  return { kind: "final" };
}

/** The entry that an earlier run has moved to the trash. */
export async function trashedSince(
  { records }: Trash,
  userId: number,
  { ino, since }: CurrentEntry,
): Promise<TrashedEntry | undefined> {
  return (await records.list(userId)).find((entry) => entry.ino === ino && entry.at >= since);
}

function stepOf(
  action: Job["action"],
  from: EntryPath,
  { to, ino }: { to: EntryPath; ino: number | null },
  { version, isFinal }: Pick<CurrentEntry, "version" | "isFinal">,
): Step {
  const arrival = { to, ino, version, isFinal };
  return action === "move" ? { kind: "moved", from, ...arrival } : { kind: "arrived", ...arrival };
}

/** Where an inode lies now, at a path or under a numbered name. */
function placeOf(access: Access, path: EntryPath, ino: number): EntryPath | null {
  for (let number = 0; number < maxNumbers; number++) {
    for (const isDir of number === 0 ? [false] : [false, true]) {
      const name = number === 0 ? nameOf(path) : numberedName(nameOf(path), number, isDir);
      const place = childOf(parentOf(path), name);
      if (inodeOf(access, "move", place) === ino) return place;
    }
  }
  return null;
}

function isFolder(access: Access, action: Job["action"], path: EntryPath): boolean {
  return unlessRefused(() => path === "/" || sourceOf(access, action, path).isFolder) ?? false;
}

function sourceOf(access: Access, action: Job["action"], path: EntryPath): SourceHandle {
  if (action === "copy") return access.copy(path);
  return action === "move" ? access.rename(path) : access.remove(path);
}

/** Whether a job makes, extracts or hashes files, each of which is begun again after a pause. */
function isArchival(action: Job["action"]): boolean {
  return action === "archive" || action === "extract" || action === "checksum";
}

/**
 * Makes an archive of entries of a folder.
 *
 * @throws {DomainError} as `saveArchive()` does, and the signal's reason
 */
async function makeArchive(context: EntryContext, entry: JobEntry): Promise<Step> {
  const { services, access, job, signal } = context;
  const { path: folder, chosen = null, format: name = "zip" } = entry;
  const { override = false, rename = false } = entry;
  const to = destinationOf(job, entry);
  const format = readFormat(name);
  const request = { folder, chosen, format, deflate: true, level: usualLevel, timeoutMs: 0 };
  let version: string | undefined;
  const files = services.trash.formerFilesOf(job.userId);
  const formerFiles: FormerFiles = {
    ...files,
    async keep(inFolder, at, former) {
      const kept = await files.keep(inFolder, at, former);
      version = kept?.id;
      await context.save({ version });
      return kept;
    },
  };
  const options = { override, rename, signal, formerFiles, report: reportTo(context) };
  const arrived = await hookedBy(
    context,
    hooksOf(context, folder, to),
    () => saveArchive(access, services.archives, request, to, options),
  );
  return { kind: "arrived", to: arrived, ino: inodeAt(context, arrived), version };
}

/**
 * Extracts an archive, or chosen entries of it, to a new folder.
 *
 * @throws {DomainError} as `extractArchive()` does, and the signal's reason
 */
async function extract(context: EntryContext, entry: JobEntry): Promise<Step> {
  const { services, access, job, signal } = context;
  const { path: from, rename = false, chosen } = entry;
  const to = destinationOf(job, entry);
  const request = { from, to, rename, chosen, staging: job.staging };
  const arrived = await hookedBy(
    context,
    hooksOf(context, from, to),
    () => services.archives.extract(access, request, signal, reportTo(context)),
  );
  return { kind: "arrived", to: arrived, ino: inodeAt(context, arrived) };
}

/**
 * Makes the checksum of a file.
 *
 * @throws {DomainError} as `hash()` of the content Worker does, and the signal's reason
 */
async function makeChecksum(context: EntryContext, entry: JobEntry): Promise<Step> {
  const { services, access, signal, report } = context;
  const { path, algorithm = "sha256" } = entry;
  const options = { signal, onReport: report };
  const digest = await services.contentWorker.hash({ access, path, algorithm }, options);
  return { kind: "digest", path, algorithm, digest };
}

/**
 * Finds out whether an archive, or what was extracted from one, had got its name when its process
 * was killed. Nothing else is left of it then.
 *
 * @returns null when it has to be made again
 */
async function recoverArchival(
  context: EntryContext,
  { to }: JobEntry,
): Promise<Step | null> {
  const { services, access, job, current: { copy, version } } = context;
  if (to !== null) {
    const folders = [parentOf(to)];
    await services.transferWorker.removeStaging({ access, folders, staging: job.staging });
  }
  if (!copy || copy.ino === null || inodeAt(context, copy.to) !== copy.ino) return null;
  return { kind: "arrived", to: copy.to, ino: copy.ino, version };
}

function destinationOf({ action }: Job, { path, to }: JobEntry): EntryPath {
  if (to !== null) return to;
  throw new DomainError("invalid_option", `Cannot ${action} "${path}" without a destination`);
}

/** The commands that are hooked to a copy: its source is the folder, or the archive. */
function hooksOf(
  { access, job }: EntryContext,
  path: EntryPath,
  to: EntryPath,
): Hooked<EntryPath> {
  const file = () => access.stat(path).real;
  const action = job.action === "extract" ? "extract" : "archive";
  const destination = (at = to) => access.create(at).real;
  return { event: "copy", action, access, path, file, destination };
}

function inodeAt({ access }: EntryContext, path: EntryPath): number | null {
  return unlessRefused(() => access.stat(path).info.ino);
}
