import type { Access } from "../../core/access/access.ts";
import { childOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { SourceHandle } from "../../core/access/source_handle.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import { mounts } from "../../core/disk/mounts.ts";
import type { TransferWorker } from "../workers/workers.ts";
import type { EntryObservers } from "../entry_observers.ts";
import type { FormerFile, FormerFiles } from "../upload/commit_upload.ts";
import { type OnReport, withReservation } from "./growth.ts";
import type { ReportProgress } from "./progress.ts";
import { actionOf, type ResumableCopy, type TransferRequest } from "./request.ts";

/** Options of a transfer. */
export interface TransferOptions {
  /** Replaces an existing file, merges into an existing folder. Needs modify as well. */
  override: boolean;
  /** Picks another name on a conflict: `a(1).txt`. Precedes `override`. */
  rename: boolean;
  /** Aborted when the client disconnects: the transfer is undone, unless it is all but done. */
  signal?: AbortSignal;
  /** Keeps a file that is replaced. */
  formerFiles?: FormerFiles;
  /** Lets a later call go on with what an aborted one has copied. */
  resumable?: ResumableCopy;
  /** Hears how far it has come. */
  report?: ReportProgress;
}

/**
 * Copies a file, a link, or a folder with its whole subtree. Needs create. Content, permissions and
 * times are kept, the owner as far as the system allows; a file that is replaced keeps its owner and
 * permissions.
 *
 * @param to the path of the copy
 * @returns its actual path
 * @throws {DomainError} as `runTransfer()` does
 */
export async function copyEntry(
  access: Access,
  transferWorker: TransferWorker,
  from: EntryPath,
  to: EntryPath,
  options: TransferOptions,
): Promise<EntryPath> {
  const source = access.copy(from);
  const target = to === "/" ? null : access.create(to);
  const { override, rename, resumable, signal, report } = options;
  const request: TransferRequest = { action: "copy", from, to, override, rename, resumable };
  const reservation = {
    action: actionOf(request),
    name: resumable?.staging,
    isUnsure: override,
    report,
  };
  const transfer = () =>
    withReservation(
      access,
      reservation,
      (onReport) => runInWorker(access, transferWorker, request, { signal, onReport }),
    );
  return await prepared(access, { source, target, options }, transfer);
}

/**
 * Renames or moves a file, a link, or a folder with its whole subtree. Needs rename. Records kept
 * by path follow.
 *
 * @param to the new path
 * @returns its actual path
 * @throws {DomainError} as `runTransfer()` does
 */
export async function moveEntry(
  access: Access,
  transferWorker: TransferWorker,
  from: EntryPath,
  to: EntryPath,
  { observers, ...options }: TransferOptions & {
    observers?: Pick<EntryObservers, "moving"> & Partial<Pick<EntryObservers, "inodes">>;
  },
): Promise<EntryPath> {
  const source = access.rename(from);
  const target = to === "/" ? null : access.receive(to);
  const { override, rename, resumable, signal, report } = options;
  const inodes = observers?.inodes;
  const request: TransferRequest = {
    ...{ action: "move", from, to, override, rename, resumable },
    ...inodes && { tellsInodes: true },
  };
  return await prepared(access, { source, target, options }, () => {
    const reservation = { action: actionOf(request), isUnsure: override };
    const run = (report?: ReportProgress) =>
      withReservation(
        access,
        { ...reservation, report },
        (onReport) => runInWorker(access, transferWorker, request, { signal, onReport }),
      );
    if (!target || !observers) return run(report);
    const folder = target.folderBelowRoot;
    return observers.moving(source, childOf(folder, target.name), (note) => {
      const noted: ReportProgress = async (update) => {
        if ("moved" in update) {
          await inodes?.moved({ from: source.belowRoot, to: folder, inodes: update.moved });
          return;
        }
        if ("committing" in update) {
          const { to, ino } = update.committing;
          await note({ to: childOf(folder, nameOf(to)), ino });
        }
        await report?.(update);
      };
      return run(noted);
    }, rename);
  });
}

/** Whether a move leads to another disk, so that it is a copy and takes its time. */
export function crossesDisks(access: Access, from: EntryPath, to: EntryPath): boolean {
  if (to === "/") return false;
  const source = access.rename(from);
  return mounts.pointOf(source.real) !== mounts.pointOf(access.receive(to).folder);
}

/** An aborted transfer is answered, too: with whether it was undone in time or completed. */
async function runInWorker(
  access: Access,
  transferWorker: TransferWorker,
  request: TransferRequest,
  options: { signal?: AbortSignal; onReport: OnReport },
): Promise<EntryPath> {
  try {
    return await transferWorker.transfer({ access, request }, { ...options, awaitsEnd: true });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  }
}

interface Planned {
  source: SourceHandle;
  /** Null for the root of the scope, which is refused later. */
  target: WriteHandle | null;
  options: TransferOptions;
}

/** Notes where staging folders may come, and keeps a file that is to be replaced. */
async function prepared(
  access: Access,
  { source, target, options }: Planned,
  transfer: () => Promise<EntryPath>,
): Promise<EntryPath> {
  if (!target) return await transfer();
  await remember(access, target);
  const kept = await keepReplaced(access, source, target, options);
  try {
    return await transfer();
  } catch (error) {
    // The failed step may have come after the replacement.
    if (kept?.isInPlace()) await kept.takeBack();
    throw error;
  }
}

async function keepReplaced(
  access: Access,
  source: SourceHandle,
  target: WriteHandle,
  { override, rename, formerFiles }: TransferOptions,
): Promise<FormerFile | null> {
  const isReplaced = override && !rename && !source.isFolder && access.may("modify") &&
    target.existing?.info.isFile && source.real !== target.real;
  if (!formerFiles || !isReplaced) return null;
  using folder = target.open();
  const former = folder.look(target.name);
  if (!former?.isFile || former.size === 0) return null;
  return await formerFiles.keep(folder, childOf(target.folderBelowRoot, target.name), former);
}

/** Records the folders that may get staging folders, to sweep them if the process is killed. */
async function remember({ journal }: Access, target: WriteHandle): Promise<void> {
  const folder = target.folderBelowRoot;
  await journal?.remember(folder);
  if (target.existing?.info.isDirectory) await journal?.remember(childOf(folder, target.name));
}
