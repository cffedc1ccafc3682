import { DomainError } from "../../shared/errors.ts";
import { type EntryPath, parentOf } from "../../shared/path.ts";
import { readFormat } from "../archive/format.ts";
import { saveArchive } from "../archive/save_archive.ts";
import type { FormerFiles } from "../files/upload/commit_upload.ts";
import type { Hooked } from "../hooks/hooks.ts";
import type { Job, JobEntry, Step } from "./job.ts";
import { type EntryContext, hookedBy, reportTo } from "./job_context.ts";

/** Whether a job makes, extracts or hashes files, each of which is begun again after a pause. */
export function isArchival(action: Job["action"]): boolean {
  return action === "archive" || action === "extract" || action === "checksum";
}

/**
 * Makes an archive of entries of a folder.
 *
 * @throws {DomainError} as `saveArchive()` does, and the signal's reason
 */
export async function makeArchive(context: EntryContext, entry: JobEntry): Promise<Step> {
  const { cubby, access, job, signal } = context;
  const { path: folder, chosen = null, format: name = "zip" } = entry;
  const { override = false, rename = false } = entry;
  const to = destinationOf(job, entry);
  const format = readFormat(name);
  const request = { folder, chosen, format, deflate: true, timeoutMs: 0 };
  let version: string | undefined;
  const files = cubby.trash.formerFilesOf(job.userId);
  const formerFiles: FormerFiles = {
    isOn: () => files.isOn(),
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
    () => saveArchive(access, cubby.archives, request, to, options),
  );
  return { kind: "arrived", to: arrived, ino: inodeAt(context, arrived), version };
}

/**
 * Extracts an archive, or chosen entries of it, to a new folder.
 *
 * @throws {DomainError} as `extractArchive()` does, and the signal's reason
 */
export async function extract(context: EntryContext, entry: JobEntry): Promise<Step> {
  const { cubby, access, job, signal } = context;
  const { path: from, rename = false, chosen } = entry;
  const to = destinationOf(job, entry);
  const request = { from, to, rename, chosen, staging: job.staging };
  const arrived = await hookedBy(
    context,
    hooksOf(context, from, to),
    () => cubby.archives.extract(access, request, signal, reportTo(context)),
  );
  return { kind: "arrived", to: arrived, ino: inodeAt(context, arrived) };
}

/**
 * Makes the checksum of a file.
 *
 * @throws {DomainError} as `hash()` of the content Worker does, and the signal's reason
 */
export async function makeChecksum(context: EntryContext, entry: JobEntry): Promise<Step> {
  const { cubby, access, signal, report } = context;
  const { path, algorithm = "sha256" } = entry;
  const options = { signal, onReport: report };
  const digest = await cubby.contentWorker.hash({ access, path, algorithm }, options);
  return { kind: "digest", path, algorithm, digest };
}

/**
 * Finds out whether an archive, or what was extracted from one, had got its name when its process
 * was killed. Nothing else is left of it then.
 *
 * @returns null when it has to be made again
 */
export async function recoverArchival(
  context: EntryContext,
  { to }: JobEntry,
): Promise<Step | null> {
  const { cubby, access, job, current: { copy, version } } = context;
  if (to !== null) {
    const folders = [parentOf(to)];
    await cubby.transferWorker.removeStaging({ access, folders, staging: job.staging });
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
  try {
    return access.stat(path).info.ino;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
