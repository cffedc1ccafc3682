import type { Gate } from "../core/access/gate.ts";
import { type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import { SERVER } from "../core/access/viewer.ts";
import { DomainError } from "../../shared/errors.ts";
import { foldName } from "../../shared/fold.ts";
import { makeFolder } from "./make_folder.ts";

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
