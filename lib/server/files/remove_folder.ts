import type { Access } from "../access/access.ts";
import { asRefusal } from "../access/os_errors.ts";
import type { EntryPath } from "../../shared/path.ts";
import { removeTree } from "./remove_tree.ts";
import { collectGarbage } from "../concurrency/collect_garbage.ts";
import { checkBelow } from "./check_below.ts";
import type { Pauses } from "../concurrency/pauses.ts";

/**
 * Removes a folder with all that is below it, after everything was checked. Links are removed, never
 * followed.
 *
 * It may be stopped at any entry; what is gone by then stays gone, and what another request removes
 * at the same time counts as removed.
 *
 * @throws {DomainError} `forbidden` with nothing done, `not_found`
 */
export async function removeFolder(access: Access, path: EntryPath, pauses: Pauses): Promise<void> {
  const action = `Cannot delete "${path}"`;
  const removal = access.remove(path);
  collectGarbage(await checkBelow(removal.folder(), action, pauses));
  using parent = removal.openParent();
  try {
    await removeTree(parent, removal.name, pauses);
    await parent.sync();
  } catch (error) {
    throw asRefusal(error, action);
  }
}
