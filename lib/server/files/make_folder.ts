import { DomainError } from "../../shared/errors.ts";
import type { Access } from "../core/access/access.ts";
import type { EntryPath } from "../../shared/path.ts";

/**
 * Makes a folder and its parents; existing ones are fine. On failure, the parents it made are
 * removed.
 *
 * @returns whether it was not there before
 * @throws {DomainError} `exists` when a file is in the way, `forbidden`, `invalid_name`,
 * `disk_full`, `over_quota`, `read_only`
 */
export async function makeFolder(access: Access, path: EntryPath): Promise<boolean> {
  const target = access.create(path);
  if (target.existing?.info.isDirectory) return false;
  if (target.existing) {
    throw new DomainError("exists", `Cannot make the folder "${path}": a file has the name`);
  }
  const files = target.missingParents + 1;
  await using reservation = await access.allowance?.reserve(
    { bytes: 0, files },
    `Cannot make the folder "${path}"`,
  );
  try {
    await target.makeFolder();
    await reservation?.settle({ bytes: 0, files: target.madeFolders });
    return true;
  } catch (error) {
    target.removeMadeParents();
    throw error;
  }
}
