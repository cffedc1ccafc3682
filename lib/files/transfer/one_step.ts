import { isSameEntry } from "../../access/identity.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import { codeOf } from "../../access/os_errors.ts";
import type { RealPath } from "../../access/real_path.ts";
import type { SourceHandle } from "../../access/source_handle.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import { addName, moveFolder } from "../free_name.ts";
import type { Meeting } from "./meeting.ts";
import { NameTaken } from "./request.ts";

/**
 * Moves an entry within a disk, with all that is below it, in one step that can't be seen half done.
 * A name that was free is taken in a way that can't replace what came there meanwhile.
 *
 * @returns false when the destination is on another disk: nothing was done
 * @throws {DomainError} `exists`, `forbidden`, `not_found`; and errors of the system
 */
export function moveInOneStep(
  source: SourceHandle,
  target: WriteHandle,
  meeting: Exclude<Meeting, "merge">,
  action: string,
): boolean {
  source.verify();
  target.verify();
  try {
    if (meeting === "respell") Deno.renameSync(source.real, target.real);
    else if (meeting === "replace") replaceFile(source, target.real);
    else if (source.isFolder) moveFolder(source.real, target.real);
    else moveSingle(source, target.real);
    return true;
  } catch (error) {
    const code = error instanceof Error ? codeOf(error) : undefined;
    if (code === "EXDEV") return false;
    throw code === "EEXIST" || code === "ENOTEMPTY" ? new NameTaken(action) : error;
  }
}

function replaceFile(source: SourceHandle, target: RealPath): void {
  Deno.renameSync(source.real, target);
  // Of two names of one file, the system leaves both: the one that was to go still has to.
  const left = lstatIfThere(source.real);
  if (left && isSameEntry(left, source.info)) Deno.removeSync(source.real);
}

function moveSingle(source: SourceHandle, target: RealPath): void {
  if (!addName(source.real, target)) return;
  try {
    const left = lstatIfThere(source.real);
    // What came under the former name meanwhile is something else, and stays.
    if (left && isSameEntry(left, source.info)) Deno.removeSync(source.real);
  } catch (error) {
    Deno.removeSync(target);
    throw error;
  }
}
