import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { commitUpload } from "./commit_upload.ts";
import { freePath } from "./free_path.ts";
import type { TemporaryFile } from "./temporary_file.ts";

/** How often another entry may take the name in between before the upload gives up. */
const maxRaces = 100;

/**
 * Commits a complete temporary file to the first free name, and makes its folders. An entry that
 * appears there concurrently is never replaced; the next name is tried. Refusals name the wanted
 * path alone: a number would tell a stranger which names are taken.
 *
 * @returns the number of folders that were made
 * @throws {DomainError} `forbidden`, `disk_full`; `exists` when all names are taken
 */
export async function commitFreeName(
  access: Access,
  path: EntryPath,
  temporary: TemporaryFile,
): Promise<number> {
  const action = `Cannot write "${path}"`;
  for (let races = 0; races < maxRaces; races++) {
    // Rules and hidden names apply to each.
    const target = access.create(freePath(access, path));
    let isDone = false;
    try {
      using folder = target.open();
      target.assertInPlace(folder);
      await commitUpload(temporary, folder, target, { mayReplace: false }, action);
      isDone = true;
      await target.sync(folder);
      return target.madeFolders;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (isDone || error.code !== "exists") throw withoutPath(error, target.path, path);
    } finally {
      if (!isDone) target.removeMadeParents();
    }
  }
  throw new DomainError("exists", `${action}: all numbered names are taken`);
}

function withoutPath(error: DomainError, taken: EntryPath, wanted: EntryPath): DomainError {
  const { code, message, retryAfter, details } = error;
  return new DomainError(code, message.replaceAll(taken, wanted), retryAfter, details);
}
