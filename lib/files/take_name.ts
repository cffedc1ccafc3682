import { DomainError } from "../errors.ts";
import { lstatIfThere } from "../access/lstat.ts";
import { asRefusal, codeOf } from "../access/os_errors.ts";
import type { WriteHandle } from "../access/write_handle.ts";
import { etagOf, ifMatchHolds } from "./etag.ts";
import { addName } from "./free_name.ts";
import type { TemporaryFile } from "./temporary_file.ts";

/** How the name may be taken. */
export interface NameOptions {
  /** What has the name may be replaced. */
  mayReplace: boolean;
  /** The `If-Match` header. */
  ifMatch?: string;
}

/**
 * Gives a complete temporary file its final name in one step of the system, so that everybody sees
 * either the former file or the new one. A name that is free is taken in a way that can't replace
 * what somebody else put there in the meantime.
 *
 * @returns the file under its name
 * @throws {DomainError} `exists`, `is_folder`, `precondition_failed`, `forbidden`, `disk_full`
 */
export function takeName(
  temporary: TemporaryFile,
  target: WriteHandle,
  { mayReplace, ifMatch }: NameOptions,
  action: string,
): Deno.FileInfo {
  target.verify();
  temporary.verify(action);
  try {
    const former = lstatIfThere(target.real);
    if (ifMatch !== undefined && !ifMatchHolds(ifMatch, former?.isFile ? etagOf(former) : null)) {
      throw new DomainError("precondition_failed", `${action}: the file is another by now`);
    }
    if (former && !mayReplace) throw new DomainError("exists", `${action}: the name is taken`);
    if (former) replace(temporary, target, former);
    else takeFreeName(temporary, target, mayReplace);
    return Deno.lstatSync(target.real);
  } catch (error) {
    throw asRefusal(error, action);
  }
}

function takeFreeName(temporary: TemporaryFile, target: WriteHandle, mayReplace: boolean): void {
  try {
    addName(temporary.real, target.real);
  } catch (error) {
    const code = error instanceof Error ? codeOf(error) ?? "" : "";
    const former = code === "EEXIST" && mayReplace ? lstatIfThere(target.real) : null;
    if (!former) throw error;
    replace(temporary, target, former);
  }
}

function replace(temporary: TemporaryFile, target: WriteHandle, former: Deno.FileInfo): void {
  if (former.isFile) temporary.takeRightsOf(former);
  Deno.renameSync(temporary.real, target.real);
}
