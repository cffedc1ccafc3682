import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import { collectGarbage } from "../files/collect_garbage.ts";
import { checkBelow, type CheckedFolder, isGone } from "./check_below.ts";
import type { PatientSteps } from "./slices.ts";

/** Up to so many entries are removed by one call that can't be interrupted: some 50 ms of work. */
const unit = 2_000;

/**
 * Removes a folder with all that is below it, after everything was checked. The removing itself is
 * left to the system, subtree by subtree: it goes by open folders, so nobody can lead it elsewhere
 * by swapping a folder for a link while it runs. Links are removed, never followed.
 *
 * It may be stopped between subtrees; what is gone by then stays gone, and what somebody else removes
 * at the same time is as good as removed.
 *
 * @throws {DomainError} `forbidden` with nothing done, `not_found`
 */
export function* removeFolder(access: Access, path: EntryPath): PatientSteps<void> {
  const action = `Cannot delete "${path}"`;
  const removal = access.remove(path);
  const checked = yield* checkBelow(removal.folder(), action);
  collectGarbage(checked.count);
  yield* removeChecked(checked);
}

function* removeChecked({ folder, folders, count }: CheckedFolder): PatientSteps<void> {
  if (count > unit) {
    for (const inner of folders) yield* removeChecked(inner);
  }
  if (isGone(folder)) return;
  folder.verify();
  yield Deno.remove(folder.real, { recursive: true });
}
