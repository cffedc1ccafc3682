import { DomainError } from "../../../shared/errors.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Access } from "../../access/access.ts";
import type { OpenFolder } from "../../disk/disk.ts";
import { commitUpload } from "./commit_upload.ts";
import type { TemporaryFile } from "./temporary_file.ts";

/** Most names that are tried. */
const mostNames = 10_000;

/**
 * Commits a complete temporary file to the first free name: `a.txt`, `a(1).txt`, … An entry that
 * appears there concurrently is never replaced; the next name is tried.
 *
 * @throws {DomainError} `forbidden`, `disk_full`; `exists` when all names are taken
 */
export async function commitFreeName(
  access: Access,
  path: EntryPath,
  temporary: TemporaryFile,
  folder: OpenFolder,
): Promise<null> {
  for (let number = 0; number < mostNames; number++) {
    const name = number === 0 ? nameOf(path) : numberedName(nameOf(path), number, false);
    // Rules and hidden names apply to each.
    const target = access.create(childOf(parentOf(path), name));
    if (target.existing) continue;
    try {
      await commitUpload(
        temporary,
        folder,
        target,
        { mayReplace: false },
        `Cannot write "${path}"`,
      );
      return null;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "exists")) throw error;
    }
  }
  throw new DomainError("exists", `Cannot write "${path}": all names like it are taken`);
}
