import { DomainError } from "../../../shared/errors.ts";
import type { FolderHandle } from "../../access/folder_handle.ts";
import type { Gate } from "../../access/gate.ts";
import { isTemporaryName } from "../../access/names.ts";
import { asRefusal } from "../../access/os_errors.ts";
import { SERVER } from "../../access/viewer.ts";
import { removeTree } from "../remove_tree.ts";
import type { StoredUploadJournal } from "./upload_journal.ts";
import { Pauses } from "../../concurrency/pauses.ts";

/** Where an upload is under way, or locks are unknown, only older files are leftovers. */
const certainlyDeadMs = 24 * 60 * 60 * 1000;

/** File systems stamp times up to this much late, in milliseconds. */
const clockGrainMs = 20;

/**
 * Removes the temporary files and folders that killed processes left in the folders that have had
 * uploads and copies. To be called at start; those under way in other processes are left alone.
 *
 * @returns how many were removed
 */
export async function sweepTemporaries(gate: Gate, folders: StoredUploadJournal): Promise<number> {
  const access = gate.enter(SERVER);
  const startedAt = Date.now() - clockGrainMs;
  let removed = 0;
  for (const path of await folders.list()) {
    try {
      removed += await sweepFolder(access.folder(path), startedAt);
    } catch (error) {
      // Gone with what was in it, or out of reach by now: there is nothing to sweep. Any other
      // trouble with a disk must not keep the server from starting: the next start tries again.
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
