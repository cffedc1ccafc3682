import { DomainError } from "../errors.ts";
import type { FolderHandle } from "../access/folder_handle.ts";
import type { Gate } from "../access/gate.ts";
import { lstatIfThere } from "../access/lstat.ts";
import { isTemporaryName } from "../access/names.ts";
import { asRefusal } from "../access/os_errors.ts";
import { realChild } from "../access/real_path.ts";
import { SERVER } from "../access/viewer.ts";
import { seizeFolder } from "./folder_hold.ts";
import type { UploadFolders } from "./upload_folders.ts";

/** Where an upload is under way, or locks are unknown, only older files are leftovers. */
const certainlyDeadMs = 24 * 60 * 60 * 1000;

/** File systems stamp times up to so many milliseconds late. */
const clockGrainMs = 20;

/**
 * Removes the temporary files and folders that killed processes left in the folders that have had
 * uploads and copies. To be called at start; those under way in other processes are left alone.
 *
 * @returns how many were removed
 */
export async function sweepTemporaries(gate: Gate, folders: UploadFolders): Promise<number> {
  const access = gate.enter(SERVER);
  const startedAt = Date.now() - clockGrainMs;
  let removed = 0;
  for (const path of await folders.list()) {
    try {
      removed += await sweepFolder(access.folder(path), startedAt);
    } catch (error) {
      // Gone with what was in it, or out of reach by now: there is nothing to sweep. Any other
      // trouble with a disk must not keep the server from starting: the next start tries again.
      if (!(asRefusal(error, "Cannot sweep") instanceof DomainError)) continue;
    }
    await folders.forget(path);
  }
  return removed;
}

async function sweepFolder(folder: FolderHandle, startedAt: number): Promise<number> {
  using seized = seizeFolder(folder.real);
  const before = seized ? startedAt : startedAt - certainlyDeadMs;
  const names = [...Deno.readDirSync(folder.real)].map(({ name }) => name);
  let removed = 0;
  for (const name of names.filter(isTemporaryName)) {
    const real = realChild(folder.real, name);
    const info = lstatIfThere(real);
    folder.verify();
    if (!info?.isFile && !info?.isDirectory) continue;
    if ((info.mtime?.getTime() ?? 0) >= before) continue;
    await Deno.remove(real, { recursive: info.isDirectory });
    removed++;
  }
  return removed;
}
