import { DomainError } from "../../../shared/errors.ts";
import type { FolderHandle } from "../../access/folder_handle.ts";
import type { Gate } from "../../access/gate.ts";
import { isTemporaryName } from "../../access/names.ts";
import { asRefusal } from "../../access/os_errors.ts";
import { SERVER } from "../../access/viewer.ts";
import { removeTree } from "../remove_tree.ts";
import type { StoredUploadJournal } from "./upload_journal.ts";
import { Pauses } from "../../concurrency/pauses.ts";

/** During an upload, or without locks, only files older than this are leftovers. */
const certainlyDeadMs = 24 * 60 * 60 * 1000;

/** Maximum delay of file system timestamps, in milliseconds. */
const clockGrainMs = 20;

/**
 * Removes temporary files and folders that killed processes left in folders with uploads and
 * copies. Called at start; those in use by other processes are kept.
 *
 * @returns the number of removed entries
 */
export async function sweepTemporaries(gate: Gate, folders: StoredUploadJournal): Promise<number> {
  const access = gate.enter(SERVER);
  const startedAt = Date.now() - clockGrainMs;
  let removed = 0;
  for (const path of await folders.list()) {
    try {
      removed += await sweepFolder(access.folder(path), startedAt);
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

async function sweepFolder(handle: FolderHandle, startedAt: number): Promise<number> {
  using folder = handle.open();
  const before = folder.lock("exclusive") ? startedAt : startedAt - certainlyDeadMs;
  let removed = 0;
  for (const { name } of folder.entries()) {
    const info = isTemporaryName(name) ? folder.look(name) : null;
    if (!info?.isFile && !info?.isDirectory) continue;
    if ((info.mtime?.getTime() ?? 0) >= before) continue;
    await removeTree(folder, name, new Pauses());
    removed++;
  }
  return removed;
}
