import type { Access } from "../../core/access/access.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { LeftOutNote, ProgressMeter, type ReportProgress } from "../../files/transfer/progress.ts";
import {
  commitUpload,
  type FormerFile,
  type FormerFiles,
} from "../../files/upload/commit_upload.ts";
import { growthBy, growthOf, metered } from "../../files/upload/growth.ts";
import { TemporaryFile } from "../../files/upload/temporary_file.ts";
import { checkTarget } from "../../files/upload/upload.ts";
import { DomainError } from "../../../shared/errors.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { ArchiveRequest, Archives } from "./archives.ts";

/** Options of a saved archive. */
export interface SaveOptions {
  /** Replaces a file. Needs the permission to modify as well. */
  override: boolean;
  /** Picks another name on a conflict: `a(1).zip`. Precedes `override`. */
  rename: boolean;
  signal: AbortSignal;
  /** Keeps a file that is replaced. */
  formerFiles: FormerFiles;
  /** Hears how far it has come, what is left out, and of the archive before it gets its name. */
  report: ReportProgress;
}

/**
 * Makes an archive of entries of a folder, and saves it as a file: under a hidden name until it is
 * complete, as an upload. Needs download and create.
 *
 * @returns the path of the archive
 * @throws {DomainError} as `Archives.open()` and `uploadFile()` do
 */
export async function saveArchive(
  access: Access,
  archives: Archives,
  request: ArchiveRequest,
  to: EntryPath,
  options: SaveOptions,
): Promise<EntryPath> {
  const action = `Cannot create the archive "${to}"`;
  const { override, rename, signal, report } = options;
  const target = access.create(to);
  const mayReplace = override && !rename;
  if (target.existing && mayReplace) access.need(action, "modify");
  if (!rename) checkTarget(target, { mayReplace }, action);
  const growth = await growthOf(target, 0, mayReplace ? options.formerFiles : undefined);
  await using reservation = await access.allowance?.reserve(
    rename ? { bytes: 0, files: 1 + target.missingParents } : growth,
    action,
  );
  await access.journal?.remember(target.folderBelowRoot);
  const note = new LeftOutNote();
  const { download } = await archives.open(access, request, signal, note.report);
  let isDone = false;
  try {
    using folder = target.open();
    using temporary = new TemporaryFile(folder, action, target.fileMode);
    const meter = new ProgressMeter(report);
    const cover = reservation && metered(reservation, growth);
    const admit = async (piece: Uint8Array) => {
      meter.add(0, piece.length);
      await cover?.(piece);
    };
    await temporary.fill(download.read(null), action, { signal, admit });
    if (note.leftOut) await report({ leftOut: note.leftOut });
    target.assertInPlace(folder);
    const { path: arrived, kept, place } = await commit(
      access,
      temporary,
      { folder, target, to },
      options,
      action,
    );
    isDone = true;
    await reservation?.settle(growthBy(place, temporary.facts().size, kept));
    await target.sync(folder);
    return arrived;
  } finally {
    download.cancel();
    if (!isDone) target.removeMadeParents();
  }
}

interface Place {
  folder: OpenFolder;
  target: WriteHandle;
  to: EntryPath;
}

/** Gives the archive its name, or the next one that is free. */
async function commit(
  access: Access,
  temporary: TemporaryFile,
  { folder, target, to }: Place,
  { override, rename, formerFiles, signal, report }: SaveOptions,
  action: string,
): Promise<{ path: EntryPath; place: WriteHandle; kept: FormerFile | null }> {
  const mayReplace = override && !rename && access.may("modify");
  const { ino } = temporary.facts();
  for (let number = 0;; number++) {
    const path = number === 0 ? to : childOf(parentOf(to), numberedName(nameOf(to), number, false));
    const place = number === 0 ? target : access.create(path);
    if (rename && place.existing) continue;
    try {
      await report({ committing: { to: path, ino } });
      signal.throwIfAborted();
      const options = { mayReplace, formerFiles };
      const kept = await commitUpload(temporary, folder, place, options, action);
      return { path, place, kept };
    } catch (error) {
      if (!(rename && error instanceof DomainError && error.code === "exists")) throw error;
    }
  }
}
