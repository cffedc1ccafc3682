import { DomainError } from "../../../shared/errors.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import type { Gate } from "../../core/access/gate.ts";
import { isTemporaryName } from "../../core/access/names.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import { SERVER } from "../../core/access/viewer.ts";
import { removeTree } from "../remove_tree.ts";
import type { UploadPart, UploadParts } from "./upload_parts.ts";
import type { StoredUploadJournal } from "./upload_journal.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";

/** During an upload, or without locks, only files older than this are leftovers. */
export const certainlyDeadMs = 24 * 60 * 60 * 1000;

/** Maximum delay of file system timestamps, in milliseconds. */
export const clockGrainMs = 20;

/**
 * Removes temporary files and folders that killed processes left in folders with uploads and
 * copies. Called at start; those in use by other processes, and of uploads that can go on, are
 * kept.
 *
 * @param parts the uploads that can go on; none unless given
 * @param staging the names of copies that can go on
 * @returns the number of removed entries
 */
export async function sweepTemporaries(
  gate: Gate,
  folders: StoredUploadJournal,
  parts?: UploadParts,
  staging: readonly string[] = [],
): Promise<number> {
  const access = gate.enter(SERVER);
  const startedAt = Date.now() - clockGrainMs;
  const live = await parts?.list() ?? [];
  let removed = 0;
  for (const path of await folders.list()) {
    try {
      const kept = live.filter(({ folder }) => folder === path).map(({ name }) => name);
      removed += await sweepFolder(access.folder(path), startedAt, [...kept, ...staging]);
    } catch (error) {
      // The folder is gone or unreachable: nothing to sweep. Any other disk error must not keep the
      // server from starting: the next start retries.
      const refusal = asRefusal(error, "Cannot sweep");
      if (!(refusal instanceof DomainError) || refusal.code === "disk_timeout") continue;
    }
    await folders.forget(path);
  }
  return removed;
}

/**
 * Removes unfinished resumable uploads that have expired, with their files.
 *
 * @returns the number of removed uploads
 */
export async function removeExpiredParts(gate: Gate, parts: UploadParts): Promise<number> {
  let removed = 0;
  for (const part of await parts.list()) {
    if (part.expires > Date.now()) continue;
    await removePart(gate, parts, part);
    removed++;
  }
  return removed;
}

/** Removes the record of an unfinished upload, and its part. */
export async function removePart(gate: Gate, parts: UploadParts, part: UploadPart): Promise<void> {
  try {
    using folder = gate.enter(SERVER).folder(part.folder).open();
    const info = isTemporaryName(part.name) ? folder.look(part.name) : null;
    if (info?.isFile && info.ino === part.ino) folder.removeFile(part.name);
  } catch (error) {
    // The folder is gone, or its disk is: the file is left to a sweep.
    if (!(asRefusal(error, "Cannot sweep") instanceof DomainError)) throw error;
  }
  await parts.remove(part);
}

/**
 * Forgets uploads whose files are certain to be gone, such as one that a kill has kept from noting
 * that its file has got its name.
 *
 * @param tops folders that were mount points once, below the server root
 */
export async function forgetLostParts(
  gate: Gate,
  parts: UploadParts,
  tops: readonly EntryPath[],
): Promise<void> {
  for (const part of await parts.list()) {
    const state = stateOfPlace(gate.spec(), childOf(part.folder, part.name), tops);
    if (state.kind === "gone") await parts.remove(part, true);
  }
}

async function sweepFolder(
  handle: FolderHandle,
  startedAt: number,
  kept: readonly string[],
): Promise<number> {
  using folder = handle.open();
  const before = folder.lock("exclusive") ? startedAt : startedAt - certainlyDeadMs;
  let removed = 0;
  for (const { name } of folder.entries()) {
    const info = isTemporaryName(name) ? folder.look(name) : null;
    if ((!info?.isFile && !info?.isDirectory) || kept.includes(name)) continue;
    // An upload may give its file a time to come, but no such `ctime`.
    const changed = Math.min(...[info.mtime, info.ctime].map((time) => time?.getTime() ?? 0));
    if (changed >= before) continue;
    await removeTree(folder, name, new Pauses());
    removed++;
  }
  return removed;
}
