import type { Access } from "../access/access.ts";
import { type FoundEntry, type LookedEntry, SearchFolder } from "../access/search_folder.ts";
import { childrenOf, type EntryPath } from "../../shared/path.ts";
import type { TreeEntry } from "../../shared/api_types.ts";
import { isoText, modifiedOf } from "../files/listing/entries.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";
import { Pauses } from "../concurrency/pauses.ts";
import { FolderQueue } from "./folder_queue.ts";
import { Results } from "./results.ts";
import { look, pick } from "./search_folder.ts";

/**
 * Lists all entries below a folder, parents before their entries, and sends them as one JSON array
 * of `TreeEntry` while it walks. Entries hidden from the viewer are left out, as are folders that
 * are removed meanwhile or unreadable for the server; linked folders are not entered.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function listTree(access: Access, path: EntryPath, call: WorkerCall): Promise<void> {
  const pauses = new Pauses(call.signal, "low");
  const results = new Results(call, "json");
  const queue = new FolderQueue<SearchFolder>();

  await pauses.pause();
  let branch: SearchFolder | undefined = SearchFolder.of(access.folder(path));
  let picked: FoundEntry = branch.pick(() => true);
  call.open(null);
  while (branch) {
    queue.add(picked.branches);
    const pathOf = childrenOf(branch.path);
    for (const looked of look(branch, picked.hits)) {
      results.add(treeEntryOf(pathOf(looked.child.name), looked));
      if (results.isFull) await results.send();
      if (pauses.isDue) await pauses.pause();
    }
    if (pauses.isDue) await pauses.pause();
    if (results.isDue) await results.flush();
    branch = queue.next();
    if (branch) picked = pick(branch, () => true);
  }
  await results.end();
}

function treeEntryOf(path: EntryPath, { child: { name, target }, info }: LookedEntry): TreeEntry {
  // The size of a link is the length of its text.
  const isBroken = target !== null && target.kind !== "inside";
  return {
    path,
    name,
    size: isBroken ? 0 : info.size,
    modified: isoText(modifiedOf(info).getTime()),
    isDir: info.isDirectory,
  };
}
