import { DomainError } from "../../../shared/errors.ts";
import { nameOf } from "../../../shared/path.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import type { Growth } from "../../core/access/allowance.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import { disk } from "../../core/disk/this_disk.ts";
import type { TrashedEntry } from "./trash_records.ts";

/** Entries between two looks at the clock. */
const stride = 64;

/** A folder in the trash, as its record tells. */
export type TrashedFolder = Pick<TrashedEntry, "id" | "path" | "top" | "ino">;

/**
 * Adds up the sizes of all files in a folder of the trash. Links are not followed, and subfolders
 * that the server can't read count as empty.
 *
 * @returns bytes, and files with the folder and those in it; null when it is not there, or its disk does not answer
 */
export async function measureTrashed(
  spec: GateSpec,
  { id, path, top, ino }: TrashedFolder,
  pauses: Pauses,
): Promise<Growth | null> {
  try {
    using trash = openTrash(spec, top, false);
    using holder = trash.folder(id);
    const name = nameOf(path);
    if (holder.look(name)?.ino !== ino) return null;
    return await measureTree(`${holder.real}/${name}`, pauses);
  } catch (error) {
    if (error instanceof DiskError || error instanceof DomainError) return null;
    throw error;
  }
}

async function measureTree(top: string, pauses: Pauses): Promise<Growth> {
  const content: Growth = { bytes: 0, files: 1 };
  const left = [top];
  for (let real = left.pop(); real !== undefined; real = left.pop()) {
    using folder = openReadable(real);
    if (!folder) continue;
    for (const [index, { name, kind }] of folder.entries().entries()) {
      if (index % stride === 0 && pauses.isDue) await pauses.pause();
      content.files++;
      if (kind === "folder") left.push(`${real}/${name}`);
      if (kind === "file") content.bytes += folder.look(name)?.size ?? 0;
    }
  }
  return content;
}

/** Null for a folder that is gone, may not be read, or lies too deep. */
function openReadable(real: string): OpenFolder | null {
  try {
    return disk.folder(real);
  } catch (error) {
    if (error instanceof DiskError && /^(ENOENT|EACCES|EPERM|ENAMETOOLONG)$/.test(error.code)) {
      return null;
    }
    throw error;
  }
}
