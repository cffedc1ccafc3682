import type { Access } from "../core/access/access.ts";
import { asRefusal } from "../core/access/os_errors.ts";
import type { EntryPath } from "../../shared/path.ts";
import { removeTree } from "./remove_tree.ts";
import { collectGarbage } from "../core/concurrency/collect_garbage.ts";
import { checkBelow } from "./check_below.ts";
import type { Pauses } from "../core/concurrency/pauses.ts";

/**
 * Removes a folder with its whole subtree, after all of it was checked. Links are removed, never
 * followed.
 *
 * Can be aborted at any entry; removed entries stay removed. Entries that another request removes
 * concurrently count as removed.
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
