import type { OpenFolder } from "../../disk/disk.ts";
import { DiskError } from "../../disk/disk_error.ts";
import { DomainError } from "../../../shared/errors.ts";
import { asRefusal } from "../../access/os_errors.ts";
import { etagOf, ifMatchHolds } from "../content/etag.ts";
import type { TemporaryFile } from "./temporary_file.ts";

/** Conditions for taking the name. */
export interface NameOptions {
  /** An existing entry of that name may be replaced. */
  mayReplace: boolean;
  /** The `If-Match` header. */
  ifMatch?: string;
}

/**
 * Commits a complete temporary file to its final name atomically, so that every reader sees either
 * the former file or the new one. A free name is taken exclusively: an entry that appears
 * concurrently is not replaced.
 *
 * @param folder holds both names
 * @throws {DomainError} `exists`, `is_folder`, `precondition_failed`, `forbidden`, `disk_full`
 */
export function commitName(
  temporary: TemporaryFile,
  folder: OpenFolder,
  name: string,
  { mayReplace, ifMatch }: NameOptions,
  action: string,
): void {
  try {
    const former = folder.look(name);
    if (ifMatch !== undefined && !ifMatchHolds(ifMatch, former?.isFile ? etagOf(former) : null)) {
      throw new DomainError("precondition_failed", `${action}: the file is another by now`);
    }
    if (former && !mayReplace) throw new DomainError("exists", `${action}: the name is taken`);
    temporary.commitName(name, former, action);
  } catch (error) {
    const isTaken = error instanceof DiskError && error.code === "EEXIST";
    const former = isTaken && mayReplace ? folder.look(name) : null;
    if (!former) throw asRefusal(error, action);
    temporary.commitName(name, former, action);
  }
}
