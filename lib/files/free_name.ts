import { rmdirSync } from "node:fs";
import { isSameEntry } from "../access/identity.ts";
import { lstatIfThere } from "../access/lstat.ts";
import { codeOf } from "../access/os_errors.ts";
import type { RealPath } from "../access/real_path.ts";

/** What systems say where two names can't be one file. */
const noHardLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

/**
 * Gives a file or a link a name that must be free, in a way that can't replace what somebody else
 * put there in the meantime.
 *
 * @returns whether it still has its former name as well
 * @throws the system's error: EEXIST when the name is taken, EXDEV on another disk
 */
export function addName(from: RealPath, to: RealPath): boolean {
  try {
    Deno.linkSync(from, to);
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !noHardLinks.has(codeOf(error) ?? "")) throw error;
  }
  // The empty file keeps others out of the name until the full one replaces it.
  using placeholder = Deno.openSync(to, { write: true, createNew: true });
  renameOver(from, to, placeholder.statSync(), Deno.removeSync);
  return false;
}

/**
 * Moves a folder to a name that must be free, without going through what is in it. An empty folder
 * keeps others out of the name until then; one that somebody fills meanwhile is not replaced.
 *
 * @throws the system's error: EEXIST or ENOTEMPTY when the name is taken, EXDEV on another disk
 */
export function moveFolder(from: RealPath, to: RealPath): void {
  // On Windows nothing can be renamed over a folder, so the name needs no guard.
  if (Deno.build.os === "windows") return Deno.renameSync(from, to);
  Deno.mkdirSync(to, { mode: 0o700 });
  renameOver(from, to, lstatIfThere(to), rmdirSync);
}

/** Renames over a placeholder, which goes when that fails. */
function renameOver(
  from: RealPath,
  placeholder: RealPath,
  made: Deno.FileInfo | null,
  remove: (path: string) => void,
): void {
  try {
    Deno.renameSync(from, placeholder);
  } catch (error) {
    removePlaceholder(placeholder, made, remove);
    throw error;
  }
}

function removePlaceholder(
  placeholder: RealPath,
  made: Deno.FileInfo | null,
  remove: (path: string) => void,
): void {
  try {
    const now = lstatIfThere(placeholder);
    if (now && made && isSameEntry(now, made) && (now.isDirectory || now.size === 0)) {
      remove(placeholder);
    }
  } catch {
    // Somebody has put something into it: it is not ours any more.
  }
}
