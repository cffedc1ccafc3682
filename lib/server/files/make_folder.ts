import { DomainError } from "../../shared/errors.ts";
import type { Access } from "../core/access/access.ts";
import { type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { Gate } from "../core/access/gate.ts";
import { SERVER } from "../core/access/viewer.ts";
import { foldName } from "../../shared/fold.ts";

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
    const isMade = await target.makeFolder();
    await reservation?.settle({ bytes: 0, files: target.madeFolders });
    return isMade;
  } catch (error) {
    target.removeMadeParents();
    throw error;
  }
}

/**
 * Makes the home folder of a user whom an administrator adds; it may exist already.
 *
 * @param home below the server's root
 * @throws {DomainError} as {@link makeFolder}
 */
export async function makeHome(gate: Gate, home: EntryPath): Promise<void> {
  await makeFolder(gate.enter(SERVER), home);
}

/**
 * Makes the home folder at sign-up. An existing folder of that name, in any case, may belong to
 * another user and is refused.
 *
 * @param home below the server's root
 * @throws {DomainError} `exists`; and as {@link makeFolder}
 */
export async function makeNewHome(gate: Gate, home: EntryPath): Promise<void> {
  const access = gate.enter(SERVER);
  const parent = parentOf(home);
  await makeFolder(access, parent);
  const folded = foldName(nameOf(home));
  const { children } = access.folder(parent).read();
  if (children.some(({ name }) => foldName(name) === folded)) {
    throw new DomainError("exists", `Cannot make a home for "${nameOf(home)}": the name is taken`);
  }
  await makeFolder(access, home);
}
